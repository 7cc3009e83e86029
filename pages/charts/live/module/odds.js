// What could somebody learn: how often a guesser is right, as icons, of a change that is protected and of one that is left out.

import { drawn, element, shows } from "./nodes.js";
const [BLUE, VERMILION, GREY] = ["#0072B2", "#D55E00", "#7F7F7F"];
import { figure } from "../../drawing/numbers.js";
import { Words } from "./words.js";

// Icons of 10 in a row, as pages/shared/counted_odds.py draws them.
function rows(from, to) {
  let d = "";
  for (let i = from; i < to; i++) d += `M${10 * (i % 10) + 1} ${10 * Math.floor(i / 10) + 5}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`;
  return d;
}

class Icons {
  constructor(box, colour, of, words) {
    Object.assign(this, { of, words, image: drawn("svg", { viewBox: "0 0 100 100" }), count: element("strong") });
    this.paths = [drawn("path", { fill: colour }), drawn("path", { fill: "none", stroke: GREY })];
    this.image.append(...this.paths);
    const below = element("figcaption");
    below.append(this.count, ` ${of}`);
    const made = element("figure");
    made.append(this.image, below);
    box.append(made);
  }

  show(count, said) {
    const [of, filled, stand] = this.words;
    if (this.said === said) return;
    this.said = said;
    this.count.textContent = `${said} ${of}`;
    this.paths.forEach((path, ring) => path.setAttribute("d", ring ? rows(count, 100) : rows(0, count)));
    shows(this.image, `${count} ${of} ${filled}${said === String(count) ? "" : stand + said}: ${this.of}.`);
  }
}

export class Odds {
  constructor(root) {
    this.box = element("div", { class: "odds" });
    root.append(this.box);
  }

  receive(data) {
    this.data = data;
    this.box.replaceChildren();
    this.parts = data.parts.map((part, i) => {
      const [place, icons] = [element("div"), element("div", { class: "icons" })];
      this.box.append(place);
      const words = new Words(place);
      words.receive(part);
      place.append(icons);
      const each = i && data.sides ? data.who.map((of) => new Icons(icons, [BLUE, VERMILION][i - 1], of, data.in)) : [];
      return { words, icons, each };
    });
  }

  follow(look) {
    const { furthest, beyond } = this.data;
    if (!look.tables.odds) return; // they are on their way
    const { steps, counted } = look.tables.odds;
    this.parts.forEach(({ words, icons, each }, i) => {
      const far = (i > 1 ? furthest : look.leading) / look.scale;
      const [yours, saidYours, theirs, saidTheirs] = counted[steps.filter((step) => far > step).length];
      words.more = { yours: saidYours, theirs: saidTheirs, times: figure(furthest / look.delta) };
      words.follow(look);
      icons.hidden = !each.length || !look.answered || (i > 1 && words.variant !== beyond);
      if (!icons.hidden) [[yours, saidYours], [theirs, saidTheirs]].forEach((one, side) => each[side].show(...one));
    });
  }

  end() {
    this.box.remove();
  }
}
