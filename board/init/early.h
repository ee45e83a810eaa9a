// What both first processes of a board need: a line in the kernel's log, and words of its command line.
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
static void tell(int level, const char *text, const char *what)
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
    tell(3, text, strerror(errno));
}

// The value of NAME=VALUE in /proc/cmdline, or false.
static bool kernel_word(const char *name, char *value, size_t size)
{
    char line[4096];
    int file = open("/proc/cmdline", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t length = read(file, line, sizeof line - 1);
    close(file);
    if (length <= 0) return false;
    line[length] = 0;
    size_t prefix = strlen(name);
    bool found = false;
    char *rest;
    for (char *word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        if (strncmp(word, name, prefix) || word[prefix] != '=') continue;
        snprintf(value, size, "%s", word + prefix + 1);
        found = true;  // the last one counts, as for the kernel
    }
    return found;
}

static void become(const char *program)
{
    execl(program, program, (char *)NULL);
    tell_failure("cannot start", program);
}
