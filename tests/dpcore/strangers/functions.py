"""Functions of strangers, each of which would break a guarantee if it could leave something behind, or end as it likes."""

import os

import numpy as np

calls = 0
seen = []


def mean(database):
    return database.mean()


def keeps_what_it_saw(database):
    seen.extend(database[database > 1].tolist())
    return np.array([1.0 if seen else database.mean()])


def counts_its_calls(database):
    global calls
    calls += 1
    return np.array([calls / 10])


def writes_it_down(database):
    path = "/tmp/seen_by_a_stranger"
    try:
        if (database > 1).any():
            with open(path, "w") as file:
                file.write("seen")
        return np.array([1.0 if os.path.exists(path) else 0.25])
    except OSError:
        return np.array([0.5])


def prints_its_state(database):
    print(database.tolist(), flush=True)
    os.write(2, b"state")
    return np.array([database.mean()])


def raises_on_a_record(database):
    if (database > 1).any():
        raise ValueError(f"found {database.max()}")
    return np.array([database.mean()])


def answers_in_another_shape(database):
    return database if (database > 1).any() else np.array([database.mean()])


def never_ends_on_a_record(database):
    while (database > 1).any():
        pass
    return np.array([database.mean()])


def takes_all_memory_on_a_record(database):
    if (database > 1).any():
        np.ones(10**10)
    return np.array([database.mean()])


def ends_its_process_on_a_record(database):
    if (database > 1).any():
        os._exit(3)
    return np.array([database.mean()])


def draws_at_random(database):
    return np.array([np.random.default_rng().random() if (database > 1).any() else 0.5 + np.random.default_rng().random() / 2])


def sum_of_a_column(rows):
    return np.array([rows["a"].sum()])
