// How far the target moves: the empirical CDF, a step at each knot, and the true one, the inversion at k, and what lies beyond Δ̂.

import { Chart, element, shows } from "./chart.js";
import { BLUE, GREEN, GREY, VERMILION } from "./colours.js";
import { figure, general, whole } from "./numbers.js";

const WORDS = 0.36; // of the axis, which "not protected" takes

export class Sensitivity {
  constructor(root) {
    this.root = root;
  }

  receive(data) {
    this.chart?.end();
    this.data = data;
    const xs = [0, ...twice(data.knots), data.right];
    this.chart = new Chart(this.root, {
      x: { title: data.title, range: [0, data.right] }, y: { title: "share of changes", range: [0, 1.02], ticks: [[0, "0"], [0.5, "0.5"], [1, "1"]] },
      room: data.accuracies ? 34 : 0,
    });
    this.shade = this.chart.mark({ colour: "none", width: 0, fill: VERMILION, opacity: 0.14 });
    this.chart.mark({ name: data.band, colour: "none", width: 0, fill: GREY, opacity: 0.25 }).between(xs, data.low, data.high);
    this.found = this.chart.mark({ name: "Δ̂", colour: GREEN, dash: "dash" });
    this.dot = this.chart.mark({ colour: GREEN, symbol: "circle", size: 4.5 });
    this.chart.mark({ name: data.trials, colour: VERMILION, dash: "dot" }).at(xs, [0, 0, ...twice(data.heights)]);
    if (data.known) {
      const last = data.known.y.length - 1;
      const xs = Array.from(data.known.y, (_, i) => data.right * (i / last));
      this.chart.mark({ name: data.known.name, colour: BLUE }).at(xs, data.known.y);
    }
    if (data.worst) {
      const at = data.worst.value;
      this.chart.mark({ name: data.worst.name, colour: GREY, dash: "longdash" }).at([at, at], [0, 1]);
    }
    this.beyond = element("span", { class: "beyond" }, "not protected");
    this.beyond.hidden = true;
    this.chart.box.append(this.beyond);
    this.axis = data.accuracies ? new Accuracies(this.chart, data) : null;
  }

  follow(look) {
    const { data, chart } = this;
    const there = look.reached && Number.isFinite(look.delta);
    const share = look.k / look.m;
    if (there) {
      this.found.at([0, look.delta, look.delta], [share, share, 0]);
      this.dot.at([look.delta], [share]);
    } else {
      this.found.hide();
      this.dot.hide();
    }
    this.found.name(look.reached ? `Δ̂ = ${figure(look.delta)}` : "γ is out of reach");
    const shaded = there && !look.proved && look.delta < data.right;
    if (shaded) this.shade.between([look.delta, data.right], [0, 0], [1.02, 1.02]);
    else this.shade.hide();
    const wide = shaded && data.right - look.delta > WORDS * data.right;
    this.beyond.hidden = !wide;
    if (wide) this.beyond.style.setProperty("--share", (look.delta + data.right) / 2 / data.right);
    this.axis?.follow(look);
    chart.words(`${data.alt} ${inWords(look)}${this.axis ? ` ${this.axis.said}` : ""}`);
    chart.paint();
  }

  end() {
    this.chart?.end();
  }
}

function twice(list) {
  return Array.from(list).flatMap((each) => [each, each]);
}

function inWords(look) {
  if (!look.reached) return `γ = ${general(look.gamma)} is out of reach of ${whole(look.m)} trials.`;
  return `At γ = ${general(look.gamma)} the order is k = ${whole(look.k)} of ${whole(look.m)}, and Δ̂ = ${figure(look.delta)}.`;
}

// Under the axis of distances: where a guesser's best accuracy is reached. `ratios` are in units of the noise's scale.
class Accuracies {
  constructor(chart, { right, accuracies }) {
    Object.assign(this, { chart, right, ...accuracies });
    this.box = element("div", { class: "accuracies" });
    this.ticks = element("div");
    this.box.append(this.ticks, element("span", {}, this.title));
    chart.box.append(this.box);
  }

  follow(look) {
    const kept = [];
    if (look.answered) {
      for (const [accuracy, ratio] of this.ratios) {
        const at = ratio * look.scale;
        if (at <= this.right && kept.every(([other]) => Math.abs(at - other) >= 0.09 * this.right)) kept.push([at, general(100 * accuracy, 3)]);
      }
      if (kept.length < 2 && look.leading >= 0.09 * this.right && look.leading <= this.right) {
        kept.push([look.leading, general(100 * look.tables.edge[look.j], 3)]);
      }
      kept.sort((one, other) => one[0] - other[0]);
    }
    while (this.ticks.childElementCount < kept.length) this.ticks.append(element("span"));
    [...this.ticks.children].forEach((tick, i) => {
      tick.hidden = i >= kept.length;
      if (tick.hidden) return;
      tick.style.left = `${(100 * kept[i][0]) / this.right}%`;
      tick.textContent = kept[i][1];
    });
    this.said = `${this.title}: ${kept.map(([at, text]) => `${text} at ${figure(at)}`).join(", ") || "none in view"}.`;
    shows(this.box, this.said);
  }
}
