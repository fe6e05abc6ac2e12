"""Runs the tests of some files: run.py FILE...; exit status 77 where PyTorch is missing."""
import sys
import unittest

SKIPPED = 77  # SKIP_RETURN_CODE of ctest.


def main():
    try:
        import torch
    except ImportError as error:
        print("skipped: %s cannot import PyTorch: %s" % (sys.executable, error))
        return SKIPPED
    print("Python %s, PyTorch %s" % (sys.version.split()[0], torch.__version__))
    suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
