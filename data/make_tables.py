"""Writes the tables of this folder: ``python data/make_tables.py`` (needs scikit-learn; see README.md for origins)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes

HERE = Path(__file__).parent


def loan_defaults() -> None:
    """Example 6 of Rubinstein & Aldà (2017): 500 records from Exponential(1), in years, rounded to seconds."""
    times = np.random.default_rng(2017).standard_exponential(500)
    lines = [f"{time:.8f}" for time in times]
    (HERE / "loan_defaults.csv").write_text("\n".join(["years_to_default", *lines]) + "\n")


def diabetes() -> None:
    frame = load_diabetes(scaled=False, as_frame=True).frame
    names = {"bp": "blood_pressure", "s1": "cholesterol", "s2": "ldl", "s3": "hdl", "s6": "glucose", "target": "progression"}
    frame = frame.rename(columns=names)[["age", "sex", "bmi", *names.values()]]
    frame["sex"] -= 1  # categories are codes from 0
    frame.to_csv(HERE / "diabetes.csv", index=False, float_format="%.10g", lineterminator="\n")


def breast_cancer() -> None:
    frame = load_breast_cancer(as_frame=True).frame
    columns = [name for name in frame if name.startswith("mean ")]
    frame = frame[[*columns, "target"]].rename(columns={name: name.replace(" ", "_") for name in columns})
    frame = frame.rename(columns={"target": "benign"})
    frame.to_csv(HERE / "breast_cancer.csv", index=False, float_format="%.10g", lineterminator="\n")


if __name__ == "__main__":
    loan_defaults()
    diabetes()
    breast_cancer()
