// What could somebody learn: sentences, and under them arrays of icons, each a figure with its caption.

import { Figure } from "./figure.js";
import { element } from "./nodes.js";
import { Words } from "./words.js";

function made(Part, place, data) {
  const part = new Part(place);
  part.receive(data);
  return part;
}

export class Odds {
  constructor(root) {
    this.box = element("div", { class: "odds" });
    this.parts = [];
    root.append(this.box);
  }

  receive({ parts }) {
    for (const part of this.parts) part.end();
    this.box.replaceChildren();
    this.parts = parts.flatMap(({ said, icons }) => {
      const [place, row] = [element("div"), element("div", { class: "icons" })];
      this.box.append(place);
      const sentences = made(Words, place, said);
      place.append(row);
      return [sentences, ...icons.flatMap((one) => this.array(row, one))];
    });
  }

  array(row, { figure, caption, wide }) {
    const place = element("figure", wide ? { class: "wide" } : {});
    row.append(place);
    return [made(Figure, place, figure), made(Words, place, caption)];
  }

  follow(look) {
    for (const part of this.parts) part.follow(look);
  }

  appear() {
    for (const part of this.parts) part.appear?.();
  }

  end() {
    for (const part of this.parts) part.end();
    this.box.remove();
  }
}
