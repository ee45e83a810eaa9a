// What both first processes of a board need.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// One record of the kernel's log: the console stays silent on "quiet", and journald reads it later.
static void report(int level, const char *text, const char *what)
{
    int log = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
    if (log < 0) return;
    dprintf(log, "<%d>vitrine: %s%s%s\n", level, text, what ? ": " : "", what ? what : "");
    close(log);
}

static void tell_failure(const char *tried, const char *on)
{
    char text[400];
    snprintf(text, sizeof text, "%s %s", tried, on);
    report(3, text, strerror(errno));
}

static void become(const char *program)
{
    execl(program, program, (char *)NULL);
    tell_failure("cannot start", program);
}
