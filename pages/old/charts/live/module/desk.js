// A desk: the γ and the ε that a hand moves, and the parts of a page that follow them, at most once a frame.

import { looked } from "./look.js";

const desks = new Map();
const NAMES = ["gamma", "epsilon"];
const LOOK = 500; // milliseconds between two looks at the connection
const SOON = 2; // looks after it came back
const LATER = 10;

// As Streamlit's page says.
function connected() {
  const app = document.querySelector("[data-test-connection-state]");
  return !app || app.dataset.testConnectionState === "CONNECTED";
}

// Whether nothing is on its way: the tables of other trials name by its mark the message with the sentences and grids that they go
// with, and tell by `rev` whether the server moved γ or ε with them.
function whole(tables, rev) {
  return tables?.gamma && tables.gamma.length === tables.k?.length && tables.mark === tables.wants && !(tables.rev > rev);
}

export function deskOf(name) {
  if (!desks.has(name)) desks.set(name, new Desk());
  return desks.get(name);
}

// known: what the server has, as far as was said; told and heard: the number of the last message about each, here and there.
class Desk {
  constructor() {
    Object.assign(this, { gamma: null, epsilon: null, rev: null, session: null, tables: null, frame: 0, sent: 0, again: 0, times: 0 });
    Object.assign(this, { laid: new Map(), parts: new Set(), held: new Set(), lost: new Set(), left: new Set() });
    Object.assign(this, { known: {}, told: {}, heard: {}, said: {} });
  }

  // What the server shows. It raises `rev` where it moved γ or ε itself. What a hand holds, and what it let go of before the server
  // heard of it, stays where the hand put it. A server that was started anew has not heard of it and is told again. Parts that are
  // mounted again bring what they were sent once: nothing is taken back for it.
  adopt({ rev, session, heard = {}, ...at }) {
    if (this.left.has(session) || (session === this.session && rev < this.rev)) return;
    if (session !== this.session) {
      for (const name of NAMES) if (this.unheard(name)) this.lost.add(name);
      if (this.session) this.left.add(this.session);
      Object.assign(this, { session, told: {}, heard: {} });
    }
    for (const name of NAMES) this.heard[name] = Math.max(this.heard[name] ?? 0, heard[name] ?? 0);
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

  // What all is looked up in, from one part of the page or more.
  lay(part, tables) {
    if (tables) this.laid.set(part, tables);
    else if (!this.laid.delete(part)) return;
    this.tables = Object.assign({}, ...this.laid.values());
    this.stir();
  }

  move(name, value) {
    this[name] = value;
    this.stir();
  }

  // What goes to the server. Until it was heard of, the connection is watched.
  letGo(name) {
    this.known[name] = this[name];
    this.told[name] = this.sent += 1;
    this.said[name] = { x: this[name], rev: this.rev, seq: this.sent };
    if (this.session) this.watch ||= setInterval(() => this.listen(), LOOK);
    this.listen();
    return this.said[name];
  }

  // What went into a connection that was lost is said again when there is one; once for both, for a message brings all that is known.
  listen() {
    const name = NAMES.find((each) => this.unheard(each));
    if (!name) this.watch = clearInterval(this.watch);
    if (!name || !connected()) this.again = name ? SOON : 0;
    else if (this.again && !(this.again -= 1)) {
      this.again = LATER;
      for (const part of this.parts) if (part.name === name) part.tell("moved", { ...this.said[name], again: (this.times += 1) });
    }
  }

  stir() {
    this.frame ||= requestAnimationFrame(() => this.paint());
  }

  // A part that fails says so, and the others go on.
  paint() {
    this.frame = 0;
    if (!whole(this.tables, this.rev) || this.gamma === null) return;
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
