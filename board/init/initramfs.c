// The first process of a kernel whose disk driver is a module: Debian's, on the virtual board and on a Pi. Raspberry Pi's own
// kernel needs none of this. Loads the modules of /modules/disk, mounts root= read-only, and goes on with that root's
// first process; those of /modules/more are loaded meanwhile.
#include <dirent.h>
#include <glob.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "early.h"

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

// In the order of their names: dependencies come first.
static void load(const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] == '.') continue;
        char path[400];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0 || (syscall(SYS_finit_module, file, "", 0) && errno != EEXIST)) tell_failure("cannot load", path);
        if (file >= 0) close(file);
    }
}

static void pause_milliseconds(long milliseconds)
{
    nanosleep(&(struct timespec){ milliseconds / 1000, milliseconds % 1000 * 1000000 }, NULL);
}

// PARTUUID=SIGNATURE-NN names a partition by its disk's signature, the four bytes at 440 of the first sector, and its number,
// both hexadecimal. A kernel whose disk driver is built in finds it by itself.
static bool resolve(const char *word, char *device, size_t size)
{
    uint32_t wanted;
    unsigned number;
    if (sscanf(word, "PARTUUID=%8x-%2x", &wanted, &number) != 2) {
        snprintf(device, size, "%s", word);
        return true;
    }
    glob_t found;
    bool is_found = false;
    if (glob("/sys/block/*", 0, NULL, &found)) return false;
    for (size_t i = 0; i < found.gl_pathc && !is_found; i++) {
        const char *disk = strrchr(found.gl_pathv[i], '/') + 1;
        char path[300];
        uint32_t signature = 0;
        snprintf(path, sizeof path, "/dev/%s", disk);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) continue;
        if (pread(file, &signature, sizeof signature, 440) == sizeof signature && signature == wanted) {
            // mmcblk0p2, but sda2.
            bool ends_with_digit = disk[strlen(disk) - 1] >= '0' && disk[strlen(disk) - 1] <= '9';
            snprintf(device, size, "/dev/%s%s%u", disk, ends_with_digit ? "p" : "", number);
            is_found = access(device, F_OK) == 0;
        }
        close(file);
    }
    globfree(&found);
    return is_found;
}

int main(void)
{
    char device[300];
    char root[100] = "", type[20] = "ext4", first[200] = "/usr/lib/vitrine/init";
    mkdir("/dev", 0755);
    mkdir("/proc", 0555);
    mkdir("/sys", 0555);
    mkdir("/root", 0755);
    mount("dev", "/dev", "devtmpfs", 0, NULL);
    mount("proc", "/proc", "proc", 0, NULL);
    report(6, "initramfs", NULL);
    kernel_word("root", root, sizeof root);
    kernel_word("rootfstype", type, sizeof type);
    kernel_word("init", first, sizeof first);
    umount("/proc");
    mount("sys", "/sys", "sysfs", 0, NULL);

    load("/modules/disk");
    pid_t more = fork();
    if (more == 0) {
        load("/modules/more");
        _exit(0);
    }
    // A card answers some time after its driver is there; 10 s.
    for (int i = 0; !resolve(root, device, sizeof device) || mount(device, "/root", type, MS_RDONLY, NULL); i++) {
        if (i == 500) {
            tell_failure("cannot mount the root", root);
            // The kernel restarts by itself with panic= on its command line.
            return 1;
        }
        pause_milliseconds(20);
    }
    if (more > 0) waitpid(more, NULL, 0);
    umount("/sys");
    mount("/dev", "/root/dev", NULL, MS_MOVE, NULL);
    if (chdir("/root") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/")) {
        tell_failure("cannot change to", root);
        return 1;
    }
    become(first);
    return 1;
}
