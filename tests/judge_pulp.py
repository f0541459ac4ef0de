"""PuLP's own tests of its GLPK interface with the glpsol first in PATH: `ok` for each that passes with the program in argv[1] (a
link named glpsol) or fails with the glpsol installed (argv[2], or nothing) too. Tests that fail with the latter are PuLP's affair."""
import io, os, sys, unittest


def outcomes(folder):
    os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]
    from pulp.tests import test_pulp
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(test_pulp.GLPK_CMDTest)
    names = [test.id().split(".")[-1] for test in suite]
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(test_pulp.GLPK_CMDTest)
    out, sys.stdout = sys.stdout, io.StringIO()
    try:
        result = unittest.TextTestRunner(stream=io.StringIO(), verbosity=0).run(suite)
    finally:
        sys.stdout = out
    bad = {test.id().split(".")[-1]: text for test, text in result.failures + result.errors}
    return names, bad


def main():
    try:
        import pulp.tests.test_pulp  # noqa: F401
    except ImportError:
        print("ok pulp # is not installed")
        return
    import tempfile
    os.chdir(tempfile.mkdtemp(dir=sys.argv[3]))
    names, bad = outcomes(sys.argv[1])
    known = outcomes(sys.argv[2])[1] if sys.argv[2] and bad else {}
    print("ok pulp_tests_run" if len(names) > 40 else "not ok pulp_tests_run: %d" % len(names))
    for name in names:
        passes = name not in bad or name in known
        print("ok pulp_" + name if passes else "not ok pulp_%s: %s" % (name, bad[name].strip().splitlines()[-1]))


main()
