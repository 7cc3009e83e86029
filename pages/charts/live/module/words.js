// Sentences whose numbers follow the hand. The server writes them, with a slot for each number; every piece is set as text.

import { element } from "./nodes.js";
import { workedOut } from "../../drawing/moves.js";
import { counted, figure, general, whole } from "../../drawing/numbers.js";

function whyNot({ reached, needs, delta, tables }, most) {
  if (!reached) return needs > most ? "beyond" : "raises";
  if (delta <= tables.resolution) return "zero";
  return Number.isFinite(delta) ? "noiseless" : "infinite";
}

// The text of a place, where each run of the same text is written once.
function standing({ before, said, after, ends }, place) {
  return before + said[ends ? ends.findIndex((end) => place < end) : place] + after;
}

function apart(such, delta) {
  const far = such ? delta * such.times : NaN;
  return far < (such?.most ?? Infinity) ? such.before + counted(far, such) + such.behind : "";
}

export class Words {
  constructor(root) {
    this.box = element("div", { class: "words" });
    root.append(this.box);
  }

  receive(data) {
    this.data = data;
    this.variants = null;
  }

  follow(look) {
    const { of, most, variants = look.tables.sentences ?? {} } = this.data;
    const wanted = look.answered ? standing(of, look.i) : whyNot(look, most);
    if (wanted !== this.variant || variants !== this.variants) this.build(variants[wanted] ?? variants.none ?? []);
    Object.assign(this, { variant: wanted, variants });
    const said = { ...this.slots(look), ...this.more };
    if (look.answered) for (const [slot, rule] of Object.entries(look.tables.said ?? {})) said[slot] = workedOut(rule, look);
    if (said.reach) said.title = said.reach[0].toUpperCase() + said.reach.slice(1);
    for (const [slot, node] of this.nodes) {
      const text = said[slot] ?? "";
      if (node.nodeValue !== text) node.nodeValue = text;
    }
  }

  // Blocks are [tag, pieces]; a piece is a text, {b: text} in bold, {slot: name} or both.
  build(blocks) {
    this.nodes = [];
    this.box.replaceChildren(
      ...blocks.map(([tag, pieces]) => {
        const block = element(tag);
        for (const piece of pieces) {
          const node = document.createTextNode(piece.text ?? "");
          if (piece.slot) this.nodes.push([piece.slot, node]);
          if (piece.bold) {
            const strong = element("strong");
            strong.append(node);
            block.append(strong);
          } else block.append(node);
        }
        return block;
      }),
    );
  }

  slots(look) {
    const { tables } = look;
    return {
      gamma: general(look.gamma), epsilon: general(look.epsilon), covered: whole(look.covered), trials: whole(look.m),
      sensitivity: figure(look.delta), moved: tables.moves && counted(look.delta, tables.moves), needs: whole(look.needs),
      share: tables.share && standing(tables.share, look.i), guess: tables.guess && general(tables.guess[look.j]),
      such: apart(this.data.such, look.delta),
    };
  }

  end() {
    this.box.remove();
  }
}
