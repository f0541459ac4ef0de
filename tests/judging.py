"""What the judges of proofs share: how a test is reported, and how vouch-check is called."""
import subprocess


def say(good, name, why=''):
    print('ok ' + name if good else 'not ok %s: %s' % (name, why))


def judged(check, model, proof, *options):
    """Exit status and all output of vouch-check. The limit of time is for a hang alone."""
    done = subprocess.run([check, *options, model, proof], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    return done.returncode, done.stdout.decode(errors='replace').strip()
