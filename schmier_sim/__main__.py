"""``python -m schmier_sim`` is ``schmier-sim``."""

import sys

from schmier_sim.cli import main

if __name__ == "__main__":
    sys.exit(main())
