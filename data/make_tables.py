"""Write the tables of this folder that are computed: ``python data/make_tables.py`` (needs scikit-learn).

README.md states the origin of each table. The names of scientists and the games of players are lists from two texts.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes

HERE = Path(__file__).parent
_PEOPLE = 2_000
_PATIENTS, _STAYS = 800, 1_200
_WARDS = {"Surgery": 0.3, "Internal medicine": 0.34, "Cardiology": 0.18, "Neurology": 0.1, "Paediatrics": 0.08}
_CLINICS = {  # and which share of all visits each has, about
    "Harbour": 0.36,
    "Mill Road": 0.24,
    "Old Town": 0.16,
    "Station": 0.1,
    "Park": 0.07,
    "Hill": 0.04,
    "Lakeside": 0.02,
    "Island": 0.01,
}


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


def sine() -> None:
    """The regression example of the diffpriv paper: x uniform on [0, 1], y = x·sin(10x) + 0.2·N(0, 1), 250 records."""
    rng = np.random.default_rng(250)
    x = rng.random(250)
    y = x * np.sin(10 * x) + 0.2 * rng.standard_normal(250)
    lines = [f"{a:.8f},{b:.8f}" for a, b in zip(x, y, strict=True)]
    (HERE / "sine.csv").write_text("\n".join(["x,y", *lines]) + "\n")


def two_bumps() -> None:
    """Section 7.3 of Rubinstein & Aldà (2017): 5,000 records from 0.4·N(0.5, 0.02) + 0.6·N(0.75, 0.005), clipped to [0, 1]."""
    rng = np.random.default_rng(73)
    first = rng.random(5_000) < 0.4
    drawn = rng.normal(np.where(first, 0.5, 0.75), np.sqrt(np.where(first, 0.02, 0.005)))
    lines = [f"{value:.6f}" for value in np.clip(drawn, 0, 1)]
    (HERE / "two_bumps.csv").write_text("\n".join(["x", *lines]) + "\n")


def two_classes() -> None:
    """Section 7.2 of Rubinstein & Aldà (2017): 1,000 records of N(0.2·1, 0.01 I), label 1, or N(0.8·1, 0.01 I), clipped."""
    rng = np.random.default_rng(72)
    labels = rng.integers(2, size=1_000)
    drawn = rng.normal(np.where(labels == 1, 0.2, 0.8)[:, None], 0.1, (1_000, 2))
    lines = [f"{a:.6f},{b:.6f},{label}" for (a, b), label in zip(np.clip(drawn, 0, 1), labels, strict=True)]
    (HERE / "two_classes.csv").write_text("\n".join(["x1,x2,label", *lines]) + "\n")


def visits() -> None:
    """Visits of 2,000 people to 8 clinics in a year, made up (seed 13), in a random order.

    A person has N = min(250, ⌈exp(1.2 + 1.2·Z)⌉) visits. A visit takes exp(2.8 + 0.2·log N + 0.4·P + 0.5·E) minutes, rounded,
    from 1 to 240, with P of the person and E of the visit; so people who come often stay longer. Z, P and E are standard normal.
    Seven in ten visits are to the person's own clinic; that one, and the clinic of another visit, are drawn by their sizes.
    """
    rng = np.random.default_rng(13)
    rows = np.minimum(250, np.ceil(np.exp(1.2 + 1.2 * rng.standard_normal(_PEOPLE)))).astype(np.int64)
    whose = np.repeat(np.arange(_PEOPLE), rows)
    own = rng.choice(len(_CLINICS), _PEOPLE, p=list(_CLINICS.values()))[whose]
    other = rng.choice(len(_CLINICS), len(whose), p=list(_CLINICS.values()))
    clinic = np.where(rng.random(len(whose)) < 0.7, own, other)
    stays = 2.8 + 0.2 * np.log(rows[whose]) + 0.4 * rng.standard_normal(_PEOPLE)[whose] + 0.5 * rng.standard_normal(len(whose))
    minutes = np.clip(np.round(np.exp(stays)), 1, 240)
    names = list(_CLINICS)
    lines = [f"P{whose[i] + 1:04d},{names[clinic[i]]},{minutes[i]:.0f}" for i in rng.permutation(len(whose))]
    (HERE / "visits.csv").write_text("\n".join(["person,clinic,minutes", *lines]) + "\n")


def hospital_stays() -> None:
    """Write a file to try: 1,200 simulated stays of 800 patients in a year (seed 1200), as a hospital's system exports them.

    A patient with severity S = Z/2 has one stay, and each further stay falls to a patient with probability ∝ exp(2·S). A stay
    takes ⌈exp(1.3 + S + 0.5·Z)⌉ days and costs exp(7 + 0.4·E)·days^0.8; E, Z are normal. The file has the usual faults: a title
    above the names, Windows-1252, semicolons, decimal commas, points between thousands, "kg" behind weights, 999 for an unknown
    age, -999 for a cost and "n/a" for other values, three wards that are misspelt, and a line of totals.
    """
    rng = np.random.default_rng(1200)
    severity = rng.standard_normal(_PATIENTS) / 2
    chances = np.exp(2 * severity) / np.exp(2 * severity).sum()
    whose = np.sort(np.concatenate([np.arange(_PATIENTS), rng.choice(_PATIENTS, _STAYS - _PATIENTS, p=chances)]))
    numbers = rng.permutation(np.arange(101, 101 + _PATIENTS))
    ages, weights = rng.integers(18, 95, _PATIENTS), rng.normal(76, 14, _PATIENTS).clip(41, 149)
    days = np.ceil(np.exp(1.3 + severity[whose] + 0.5 * rng.standard_normal(_STAYS))).clip(1, 90).astype(int)
    costs = np.round(np.exp(7 + 0.4 * rng.standard_normal(_STAYS)) * days**0.8, 2)
    names, shares = zip(*_WARDS.items(), strict=True)
    wards = rng.choice(names, _STAYS, p=shares)
    wards[rng.choice(np.flatnonzero(wards == "Surgery"), 3, replace=False)] = "Surgrey"
    admitted = np.datetime64("2024-01-01") + rng.integers(0, 366, _STAYS)
    again = rng.random(_STAYS) < 1 / (1 + np.exp(2 - 2 * severity[whose]))
    unknown = rng.random((4, _STAYS)) < np.array([[0.03], [0.05], [0.02], [0.04]])
    lines = ["General hospital: list of stays", "Period:;01.01.2024 to 31.12.2024", "Printed:;07.01.2025", ""]
    lines.append("Patient no.;Stay no.;Ward;Admitted;Age;Weight;Days;Cost in €;Readmitted within 30 days")
    for i in rng.permutation(_STAYS):
        age = "999" if unknown[0, i] else str(ages[whose[i]])
        weight = "n/a" if unknown[1, i] else f"{weights[whose[i]]:.1f} kg".replace(".", ",")
        cost = "-999,00" if unknown[2, i] else _german(costs[i])
        readmitted = "n/a" if unknown[3, i] else ("yes" if again[i] else "no")
        day = "{2}.{1}.{0}".format(*str(admitted[i]).split("-"))
        line = (f"{numbers[whose[i]]:05}", f"{240001 + i}", wards[i], day, age, weight, str(days[i]), cost, readmitted)
        lines.append(";".join(line))
    lines.append(f"Total;{_STAYS};;;;;{days.sum()};{_german(costs[~unknown[2]].sum())};")
    (HERE / "hospital_stays.csv").write_bytes(("\r\n".join(lines) + "\r\n").encode("windows-1252"))


def _german(amount: float) -> str:
    """1.234,50"""
    return f"{amount:,.2f}".translate(str.maketrans(",.", ".,"))


MADE = (hospital_stays, loan_defaults, diabetes, breast_cancer, sine, two_bumps, two_classes, visits)

if __name__ == "__main__":
    for make in MADE:
        make()
