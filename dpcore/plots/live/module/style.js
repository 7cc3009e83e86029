// How every part looks: by the colours of the page's theme, light or dark.

export const style = `
.live { --ink: var(--st-text-color, currentColor); --faint: color-mix(in srgb, var(--ink) 14%, transparent);
  --soft: color-mix(in srgb, var(--ink) 78%, transparent); color: var(--ink); font-family: var(--st-font, inherit); height: 100%; }
.live.tables { display: none; }
.chart { display: flex; flex-direction: column; height: 100%; position: relative; font-size: 12px; }
.chart > svg { flex: 1; min-height: 0; width: 100%; overflow: visible; }
.chart text { fill: var(--ink); font-size: 11.5px; }
.chart text.title { font-size: 13px; fill: var(--soft); }
.grid { stroke: var(--faint); fill: none; }
.legend { display: grid; grid-template-columns: repeat(auto-fit, minmax(118px, auto)); justify-content: start; column-gap: 14px; padding: 0 0 4px 58px; max-width: 420px; line-height: 1.5; }
.legend > span { display: flex; align-items: center; gap: 5px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.legend svg { flex: none; }
.tip { position: absolute; transform: translate(-50%, -130%); background: var(--st-secondary-background-color, #f2f2f2);
  padding: 3px 7px; border-radius: 4px; white-space: nowrap; pointer-events: none; border: 1px solid var(--faint); z-index: 1; }
.beyond { position: absolute; bottom: 92px; left: calc(58px + (100% - 70px) * var(--share)); transform: translateX(-50%); white-space: nowrap; }
.accuracies { position: absolute; bottom: 0; left: 58px; right: 12px; height: 32px; border-top: 1px solid currentColor; font-size: 11.5px; line-height: 1; }
.accuracies > div > span { position: absolute; top: 4px; transform: translateX(-50%); }
.accuracies > span { position: absolute; top: 18px; left: 50%; transform: translateX(-50%); white-space: nowrap; }
[hidden] { display: none !important; }
.slider { position: relative; height: 40px; --thumb: 14px; --hue: var(--st-primary-color, #0062a3); }
.slider .value { position: absolute; top: -2px; left: calc(var(--thumb) / 2 + (100% - var(--thumb)) * var(--share, 0)); transform: translateX(-50%);
  color: var(--hue); font-size: 14px; line-height: 18px; white-space: nowrap; }
.slider input { -webkit-appearance: none; appearance: none; position: absolute; top: 12px; width: 100%; height: 22px; margin: 0; background: none;
  cursor: pointer; touch-action: pan-y; }
.slider input::-webkit-slider-runnable-track { height: 4px; border-radius: 2px;
  background: linear-gradient(to right, var(--hue) calc(100% * var(--share, 0)), var(--faint) 0); }
.slider input::-moz-range-track { height: 4px; border-radius: 2px; background: var(--faint); }
.slider input::-moz-range-progress { height: 4px; border-radius: 2px; background: var(--hue); }
.slider input::-webkit-slider-thumb { -webkit-appearance: none; width: var(--thumb); height: var(--thumb); margin-top: -5px; border-radius: 50%; background: var(--hue); border: 0; }
.slider input::-moz-range-thumb { width: var(--thumb); height: var(--thumb); border-radius: 50%; background: var(--hue); border: 0; }
.slider input:focus-visible { outline: none; }
.slider input:focus-visible::-webkit-slider-thumb { box-shadow: 0 0 0 3px color-mix(in srgb, var(--hue) 35%, transparent); }
.slider input:focus-visible::-moz-range-thumb { box-shadow: 0 0 0 3px color-mix(in srgb, var(--hue) 35%, transparent); }
.words :is(h1, h3) { font: inherit; font-weight: 700; font-size: 1.25rem; line-height: 1.2; margin: 0 0 0.75rem; }
.words p { margin: 0; line-height: 1.6; }
`;
