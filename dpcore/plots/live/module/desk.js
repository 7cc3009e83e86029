// A desk: the γ and the ε that a hand moves, and the parts of a page that follow them, at most once a frame.

import { looked } from "./look.js";

const desks = new Map();

export function deskOf(name) {
  if (!desks.has(name)) desks.set(name, new Desk());
  return desks.get(name);
}

class Desk {
  constructor() {
    Object.assign(this, { gamma: null, epsilon: null, rev: null, known: {}, tables: null, parts: new Set(), held: new Set(), frame: 0 });
  }

  // What the server shows. It raises `rev` where it moved γ or ε itself; a value that a hand holds stays where the hand is.
  adopt({ rev, gamma, epsilon }) {
    if (rev === this.rev) return;
    this.rev = rev;
    this.known = { gamma, epsilon };
    if (!this.held.has("gamma")) this.gamma = gamma;
    if (!this.held.has("epsilon")) this.epsilon = epsilon;
    this.stir();
  }

  lay(tables) {
    this.tables = tables;
    this.stir();
  }

  move(name, value) {
    this[name] = value;
    this.stir();
  }

  stir() {
    this.frame ||= requestAnimationFrame(() => this.paint());
  }

  paint() {
    this.frame = 0;
    if (!this.tables || this.gamma === null) return;
    const begun = performance.now();
    const look = looked(this.tables, this.gamma, this.epsilon);
    for (const part of this.parts) part.follow(look);
    this.work = performance.now() - begun;
  }
}
