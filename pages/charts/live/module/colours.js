// Okabe–Ito, as pages/charts/drawn.py has them: no meaning hangs on colour alone.

export const BLUE = "#0072B2";
export const VERMILION = "#D55E00";
export const GREEN = "#009E73";
export const PURPLE = "#CC79A7";
export const GREY = "#7F7F7F";
