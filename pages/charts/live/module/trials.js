// What trials cost: the least m of each γ under each bound, and this choice among them.

import { Chart } from "./chart.js";
import { GREEN, GREY } from "./colours.js";
import { general, whole } from "./numbers.js";

export class Trials {
  constructor(root, desk, tell) {
    Object.assign(this, { root, tell, times: 0 });
  }

  receive(data) {
    this.chart?.end();
    this.data = data;
    this.chart = new Chart(this.root, {
      x: { title: data.across, log: true, range: data.gammas }, y: { title: data.up, log: true, powers: true, range: data.trials },
    });
    for (const curve of data.curves) this.curve(curve);
    this.choice = this.chart.mark({ name: "this choice", colour: GREEN, symbol: "diamond", size: 6 });
    if (data.over) this.chart.mark({ name: data.over, colour: GREY, symbol: "circle", size: 3.5, hollow: true, width: 1.5 });
  }

  curve({ name, colour, dash, gamma, m }) {
    this.chart.mark({ name, colour, dash }).at(gamma, m);
    for (const hollow of [false, true]) {
      const kept = Array.from(gamma.keys()).filter((i) => m[i] > this.data.most === hollow);
      const mark = this.chart.mark({ colour, symbol: "circle", size: hollow ? 3.5 : 2.5, hollow, width: 1.5 });
      mark.at(kept.map((i) => gamma[i]), kept.map((i) => m[i]));
      mark.tell = (at) => `${name}: γ = ${general(mark.xs[at])}, m = ${whole(mark.ys[at])}${hollow ? `. ${this.data.why}` : ""}`;
      if (!this.data.alone) mark.pick = (at) => this.tell("picked", { name, gamma: mark.xs[at], m: mark.ys[at], times: (this.times += 1) }); // the same again would be no change
    }
  }

  follow(look) {
    this.choice.at([look.gamma], [look.reached ? look.m : look.needs]);
    this.choice.name(look.reached ? "this choice" : `takes ${whole(look.needs)} trials`);
    const said = look.reached
      ? `This choice: γ = ${general(look.gamma)} with ${whole(look.m)} trials.`
      : `γ = ${general(look.gamma)} takes ${whole(look.needs)} trials.`;
    this.chart.words(`${this.data.alt} ${said}`);
    this.chart.paint();
  }

  end() {
    this.chart?.end();
  }
}
