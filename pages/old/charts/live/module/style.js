// How every part looks: by the colours of the page's theme, light or dark.

export const style = `
.live { --ink: var(--st-text-color, currentColor); --faint: color-mix(in srgb, var(--ink) 14%, transparent);
  --soft: color-mix(in srgb, var(--ink) 78%, transparent); color: var(--ink); font-family: var(--st-font, inherit); height: 100%; }
.live.tables, .live.hand { display: none; }
.live.answers { display: flex; flex-direction: column; }
.chart { display: flex; flex-direction: column; height: 100%; min-height: 0; position: relative; font-size: 1em; }
.chart > svg { flex: 1; min-height: 0; width: 100%; overflow: visible; fill: var(--ink); }
.tip { position: absolute; transform: translate(-50%, -130%); background: var(--st-secondary-background-color, Canvas);
  padding: 0.25em 0.6em; border-radius: 4px; white-space: nowrap; pointer-events: none; border: 1px solid var(--faint); z-index: 1; }
[hidden] { display: none !important; }
.slider { position: relative; height: 2.67em; --thumb: 0.93em; --hue: var(--st-primary-color, #0062a3); }
.slider .value { position: absolute; top: -0.33em; left: calc(var(--thumb) / 2 + (100% - var(--thumb)) * var(--share, 0)); transform: translateX(-50%);
  color: var(--hue); font-size: 0.875em; line-height: 1.3; white-space: nowrap; }
.slider input { -webkit-appearance: none; appearance: none; position: absolute; top: 0.6em; width: 100%; height: 1.47em; margin: 0; background: none;
  font: inherit; cursor: pointer; touch-action: pan-y; }
.slider input::-webkit-slider-runnable-track { height: 4px; border-radius: 2px;
  background: linear-gradient(to right, var(--hue) calc(100% * var(--share, 0)), var(--faint) 0); }
.slider input::-moz-range-track { height: 4px; border-radius: 2px; background: var(--faint); }
.slider input::-moz-range-progress { height: 4px; border-radius: 2px; background: var(--hue); }
input::-webkit-slider-thumb { -webkit-appearance: none; width: var(--thumb); height: var(--thumb); margin-top: calc(2px - var(--thumb) / 2); border-radius: 50%; background: var(--hue); border: 0; box-shadow: var(--ring, none); }
input::-moz-range-thumb { width: var(--thumb); height: var(--thumb); border-radius: 50%; background: var(--hue); border: 0; box-shadow: var(--ring, none); }
input:focus-visible { outline: none; --ring: 0 0 0 3px color-mix(in srgb, var(--hue) 35%, transparent); }
.unanswered { position: relative; }
.unanswered > .chart { visibility: hidden; }
.nothing { position: absolute; top: 40%; width: 100%; margin: 0; text-align: center; }
.words h1, .words h2, .words h3 { font: inherit; font-weight: 700; font-size: 1.25em; line-height: 1.2; margin: 0 0 0.75rem; }
.words h2 { font-weight: 600; margin: 0; }
.odds { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, max(20em, 40%)), 1fr)); gap: 1rem 2rem; }
.odds > :first-child { grid-column: 1 / -1; }
.odds .icons { display: flex; flex-wrap: wrap; gap: 0.75em 1.5em; margin-top: 0.75em; }
.odds figure { margin: 0; width: 10em; }
.odds .unanswered { display: none; }
.odds .chart { width: 8em; height: 8em; }
.odds .wide { width: 100%; max-width: 24em; }
.odds .wide .chart { width: 100%; height: 3.5em; }
.odds figure p { font-size: 0.875em; line-height: 1.3; }
.odds .words h3 { font-size: 1em; font-weight: 600; margin: 0 0 0.75rem; }
.words p { margin: 0; line-height: 1.6; }
`;
