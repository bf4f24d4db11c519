"""selftest: does this installation do what its members' cases and its rules' examples say?"""
