/* cli/report.c - standard error of a command, and SIGINT. The state is one per process, as standard error and SIGINT are. */
#define _DEFAULT_SOURCE
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/cli.h"

static const double LIVE_SECONDS = 0.1;  /* between updates of the live line */
static const double PLAIN_SECONDS = 5.0; /* between two plain lines, so that a log of an hour stays readable */

static volatile sig_atomic_t interrupted;
static bool quiet, terminal, live;
static int verbose;
static double started, next_time, time_limit;

/* Extra time for reading beyond the time limit: seconds, and a share of it. */
static const double READING_SPARE = 0.1, READING_SHARE = 0.05;
static volatile sig_atomic_t reading;
static char file_name[512]; /* its name and a colon */

static void die(int signal_number)
{
    output_discard();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* In a signal handler, where only a few calls such as write are allowed. */
static void tell(const char *what)
{
    ssize_t written = write(STDERR_FILENO, what, strlen(what));
    (void)written; /* nobody is left to be told */
}

static void end_reading(const char *why, int code)
{
    output_discard();
    tell(file_name);
    tell(why);
    _exit(code);
}

static void on_interrupt(int signal_number)
{
    if (reading) end_reading(" interrupted while this file was read\n", CLI_INTERRUPTED);
    if (interrupted) die(signal_number);
    interrupted = 1;
}

static void on_late(int signal_number)
{
    (void)signal_number;
    if (reading) end_reading(" the time limit was reached while this file was read\n", CLI_LIMIT);
}

static void handle(int signal_number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

void report_start(const cli_common *common)
{
    quiet = common->quiet > 0;
    verbose = common->verbose;
    terminal = isatty(STDERR_FILENO) == 1;
    started = clock_seconds();
    time_limit = common->time_limit;
    next_time = started + (terminal ? LIVE_SECONDS : PLAIN_SECONDS);
    handle(SIGINT, on_interrupt);
    handle(SIGXFSZ, SIG_IGN); /* a file beyond the size limit is a failed write, reported as such */
    static const int deadly[] = {SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};
    struct sigaction before; /* a signal that the caller ignores (nohup) stays ignored */
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        if (sigaction(deadly[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) handle(deadly[i], die);
}

/* The timer of on_late; 0: none. */
static void alarm_in(double seconds)
{
    struct itimerval timer = {{0, 0}, {0, 0}};
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec = (suseconds_t)((seconds - floor(seconds)) * 1e6);
    setitimer(ITIMER_REAL, &timer, NULL);
}

void report_reading(const char *path)
{
    static const double LEAST = 1e-3; /* 0 seconds would switch the timer off */
    reading = 0;
    if (time_limit > 0) alarm_in(0);
    if (!path) return;
    snprintf(file_name, sizeof file_name, "%.*s:", (int)sizeof file_name - 2, path);
    plain_clean(file_name);
    reading = 1;
    if (!(time_limit > 0)) return;
    handle(SIGALRM, on_late);
    alarm_in(fmax(LEAST, started + time_limit * (1 + READING_SHARE) + READING_SPARE - clock_seconds()));
}

bool report_interrupted(void) { return interrupted != 0; }

vouch_limits cli_limits_each(const cli_common *common)
{
    return (vouch_limits){.seconds = common->time_limit, .interrupt = &interrupted};
}

vouch_limits cli_limits(const cli_common *common)
{
    const deadline whole = {.start = started, .limits = cli_limits_each(common)};
    return deadline_left(&whole);
}

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10) return size.ws_col;
    return 80;
}

static void show_line(double now, const char *format, va_list args)
{
    char line[512];
    next_time = now + (terminal ? LIVE_SECONDS : PLAIN_SECONDS);
    vsnprintf(line, sizeof line, format, args);
    plain_clean(line);
    if (terminal)
        fprintf(stderr, "\r%.*s\033[K", terminal_width() - 1, line);
    else
        fprintf(stderr, "%s\n", line);
    fflush(stderr);
    live = terminal;
}

void report_progress(const char *format, ...)
{
    double now = clock_seconds();
    va_list args;
    if (quiet || now < next_time) return;
    va_start(args, format);
    show_line(now, format, args);
    va_end(args);
}

void report_live(const char *format, ...)
{
    double now = clock_seconds();
    va_list args;
    if (quiet || !terminal || now < next_time) return;
    va_start(args, format);
    show_line(now, format, args);
    va_end(args);
}

void report_news(const char *format, ...)
{
    va_list args;
    if (quiet) return;
    va_start(args, format);
    show_line(clock_seconds(), format, args);
    va_end(args);
}

void report_clear(void)
{
    if (!live) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    live = false;
}

static FILE *copy; /* of --log */

int report_copy(const char *path)
{
    copy = fopen(path, "w");
    return copy ? 0 : -1;
}

FILE *report_copied(void) { return copy; }

static void write_line(void *context, vouch_log_level level, const char *line)
{
    (void)context;
    (void)level;
    report_clear();
    fprintf(stderr, "%s\n", line);
    if (copy) fprintf(copy, "%s\n", line);
}

vouch_log report_log(void)
{
    vouch_log_level level = verbose > 1 ? VOUCH_LOG_DETAIL : verbose > 0 ? VOUCH_LOG_INFO : VOUCH_LOG_ERROR;
    return (vouch_log){.write = write_line, .level = level};
}

void report_note(const char *format, ...)
{
    va_list args;
    if (quiet) return;
    report_clear();
    char line[2048];
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    plain_clean(line);
    fprintf(stderr, "%s\n", line);
    if (copy) fprintf(copy, "%s\n", line);
}
