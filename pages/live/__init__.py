"""The live component: sliders that move the charts of Explore in the browser."""
