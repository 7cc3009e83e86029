"""The charts of a kind of answer under the hand: a file of Python that says what is drawn, and one of JavaScript that draws."""
