"""Release: private answers, the budget and the ledger."""
