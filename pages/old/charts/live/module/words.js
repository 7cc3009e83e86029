// Sentences whose numbers follow the hand. The server writes them, with a slot for each number; every piece is set as text.

import { element } from "./nodes.js";
import { workedOut } from "../../drawing/moves.js";

export class Words {
  constructor(root) {
    this.box = element("div", { class: "words" });
    root.append(this.box);
  }

  receive(data) {
    Object.assign(this, { data, variants: null });
  }

  // `variants`: the sentences, or the name of the table that has them; `by`: the rule of which variant is shown. What a slot says is
  // a rule too, among those that all sentences share.
  follow(look) {
    const { by = "state", variants: given = "sentences" } = this.data;
    const [wanted, variants] = [workedOut(by, look), workedOut(given, look) ?? {}];
    if (wanted !== this.variant || variants !== this.variants) this.build(variants[wanted] ?? []);
    Object.assign(this, { variant: wanted, variants });
    for (const [slot, node] of this.nodes) {
      const text = workedOut(look.said[slot], look);
      if (node.nodeValue !== text) node.nodeValue = text;
    }
  }

  // Blocks are [tag, pieces]; a piece is a text or a slot, {text} or {slot: name}, and may be bold.
  build(blocks) {
    this.nodes = [];
    this.box.replaceChildren(
      ...blocks.map(([tag, pieces]) => {
        const block = element(tag);
        for (const { text = "", slot, bold } of pieces) {
          const node = document.createTextNode(text);
          if (slot) this.nodes.push([slot, node]);
          const place = bold ? element("strong") : block;
          place.append(node);
          if (bold) block.append(place);
        }
        return block;
      }),
    );
  }

  end() {
    this.box.remove();
  }
}
