"""The gate: did the code of head become worse than that of base? One verdict from three sources.

`measured` reads what ``python -m benchmarks`` measured, `policy` what is allowed, the ``by_…``
modules turn the two into findings, `decide` into a verdict, and the ``show_…`` modules write it.
"""
