"""Linear, mixed-integer and nonlinear programs: HiGHS, SCIP and Ipopt behind one small face."""
