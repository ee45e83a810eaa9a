// The first process of a kernel whose disk driver is a module: Debian's, on the virtual board and on a Pi. Raspberry Pi's own
// kernel needs none of this. Loads the modules of /modules/disk, mounts root= read-only, and goes on with that root's
// first process; those of /modules/more are loaded meanwhile.
#include <dirent.h>
#include <sys/syscall.h>

#include "early.h"

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

int main(void)
{
    char root[100] = "", type[20] = "ext4", first[200] = "/usr/lib/vitrine/init";
    mkdir("/dev", 0755);
    mkdir("/proc", 0555);
    mkdir("/root", 0755);
    mount("dev", "/dev", "devtmpfs", 0, NULL);
    mount("proc", "/proc", "proc", 0, NULL);
    tell(6, "initramfs", NULL);
    kernel_word("root", root, sizeof root);
    kernel_word("rootfstype", type, sizeof type);
    kernel_word("init", first, sizeof first);
    umount("/proc");

    load("/modules/disk");
    pid_t more = fork();
    if (more == 0) {
        load("/modules/more");
        _exit(0);
    }
    // A card answers some time after its driver is there; 10 s.
    for (int i = 0; mount(root, "/root", type, MS_RDONLY, NULL); i++) {
        if (i == 500) {
            tell_failure("cannot mount the root", root);
            // The kernel restarts by itself with panic= on its command line.
            return 1;
        }
        pause_milliseconds(20);
    }
    if (more > 0) waitpid(more, NULL, 0);
    mount("/dev", "/root/dev", NULL, MS_MOVE, NULL);
    if (chdir("/root") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/")) {
        tell_failure("cannot change to", root);
        return 1;
    }
    become(first);
    return 1;
}
