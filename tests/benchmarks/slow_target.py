"""A target that takes about a hundredth of a second a table, as a link asks for it."""

from urllib.parse import urlencode

SVM = urlencode({"target": '{"kind":"LinearSVM","x_bounds":[[0,1],[0,1]]}'})
