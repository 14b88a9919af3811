// Its scripts come from the test.
