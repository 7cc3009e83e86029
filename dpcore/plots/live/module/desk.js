// A desk: the γ and the ε that a hand moves, and the parts of a page that follow them, at most once a frame.

import { looked } from "./look.js";

const desks = new Map();
const NAMES = ["gamma", "epsilon"];

export function deskOf(name) {
  if (!desks.has(name)) desks.set(name, new Desk());
  return desks.get(name);
}

// known: what the server has, as far as was said; told and heard: the number of the last message about each, here and there.
class Desk {
  constructor() {
    Object.assign(this, { gamma: null, epsilon: null, rev: null, session: null, tables: null, frame: 0, sent: 0 });
    Object.assign(this, { parts: new Set(), held: new Set(), lost: new Set(), known: {}, told: {}, heard: {} });
  }

  // What the server shows. It raises `rev` where it moved γ or ε itself. What a hand holds, and what it let go of before the server
  // heard of it, stays where the hand put it. A server that was started anew has not heard of it and is told again.
  adopt({ rev, session, heard = {}, ...at }) {
    if (session !== this.session) {
      for (const name of NAMES) if (this.unheard(name)) this.lost.add(name);
      this.session = session;
      this.told = {};
    }
    this.heard = heard;
    if (rev === this.rev) return;
    this.rev = rev;
    for (const name of NAMES) {
      if (this.unheard(name)) continue;
      this.known[name] = at[name];
      if (!this.held.has(name) && !this.lost.has(name)) this[name] = at[name];
    }
    this.stir();
  }

  unheard(name) {
    return (this.told[name] ?? 0) > (this.heard[name] ?? 0);
  }

  lay(tables) {
    this.tables = tables;
    this.stir();
  }

  move(name, value) {
    this[name] = value;
    this.stir();
  }

  // What goes to the server.
  letGo(name) {
    this.known[name] = this[name];
    this.told[name] = this.sent += 1;
    return { x: this[name], rev: this.rev, seq: this.sent };
  }

  stir() {
    this.frame ||= requestAnimationFrame(() => this.paint());
  }

  // A part that fails says so, and the others go on.
  paint() {
    this.frame = 0;
    if (!this.tables || this.gamma === null) return;
    const begun = performance.now();
    let part;
    try {
      const look = looked(this.tables, this.gamma, this.epsilon);
      for (part of this.parts) part.follow(look);
    } catch (error) {
      this.fail(part ?? [...this.parts][0], error);
    }
    this.work = performance.now() - begun;
  }

  fail(part, error) {
    this.parts.delete(part);
    for (const other of this.parts) other.commit?.();
    part?.failed(error);
    if (part) this.stir();
  }
}
