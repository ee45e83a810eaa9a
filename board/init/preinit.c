// The first process of the image's root, before systemd: mounts what the player needs at once.
//   /                a layer in memory over the root, which stays read-only
//   /boot/firmware   the FAT partition, read-only: settings and films
//   /data            the data partition: resume position, updates, logs of the last boots
// It reports failures in the kernel's log and starts systemd in any case: a film that plays without its data partition is better
// than a dark screen.
#include <glob.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "early.h"

static const char *const systemd = "/usr/lib/systemd/systemd";

static bool mounted(const char *what, const char *where, const char *type, unsigned long flags, const char *options)
{
    if (mount(what, where, type, flags, options) == 0) return true;
    tell_failure("cannot mount", what);
    return false;
}

// Returns the program's exit status, or -1.
static int run(char *const arguments[])
{
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        for (int i = 0; i < 3; i++) dup2(nowhere, i);
        execv(arguments[0], arguments);
        _exit(127);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

// Loads the modules of display and decoders, for which the player looks only once, at its start.
// A line each in /usr/lib/vitrine/modules; the kernel's own coldplug would bring them a second later.
static void load_modules(void)
{
    FILE *list = fopen("/usr/lib/vitrine/modules", "re");
    if (!list) return;
    char *arguments[40] = { "/usr/sbin/modprobe", "-a", "-q", "-b" };
    int count = 4;
    char *line = NULL;
    size_t size = 0;
    while (count < 39 && getline(&line, &size, list) > 0) {
        line[strcspn(line, "#\n")] = 0;
        if (line[0]) arguments[count++] = strdup(line);
    }
    fclose(list);
    free(line);
    if (count > 4) run(arguments);
}

// Reads the files that the first frame needs, a path each in /usr/lib/vitrine/readahead, while drivers and systemd start and leave
// a processor idle. A program's start reads a few pages at a time, and waits for each. This is a process of its own, in the root
// without the layer; other readers of the card go first, and systemd reaps it. It uses read(), because the kernel cuts
// posix_fadvise() short.
static void read_ahead(void)
{
    // Here, as /dev goes over to the layer.
    int log = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
    if (fork() == 0) {
        // IOPRIO_WHO_PROCESS, this one, IOPRIO_CLASS_BE's last.
        syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 7);
        static char scratch[1 << 18];
        FILE *list = fopen("/usr/lib/vitrine/readahead", "re");
        char *line = NULL;
        size_t size = 0;
        ssize_t length;
        int count = 0;
        long long bytes = 0;
        while (list && getline(&line, &size, list) > 0) {
            line[strcspn(line, "\n")] = 0;
            int file = open(line, O_RDONLY | O_CLOEXEC);
            if (file < 0) continue;
            posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
            while ((length = read(file, scratch, sizeof scratch)) > 0) bytes += length;
            count += length == 0;
            close(file);
        }
        if (log >= 0) dprintf(log, "<6>vitrine: read ahead: %d files, %lld bytes\n", count, bytes);
        _exit(0);
    }
    if (log >= 0) close(log);
}

// Puts a layer in memory over the root. What programs write there is lost with the power.
static void layer(void)
{
    if (!mounted("layer", "/overlay", "tmpfs", MS_NOSUID | MS_NODEV, "size=50%,mode=0755")) return;
    mkdir("/overlay/upper", 0755);
    mkdir("/overlay/work", 0755);
    mkdir("/overlay/root", 0755);
    if (!mounted("overlay", "/overlay/root", "overlay", 0, "lowerdir=/,upperdir=/overlay/upper,workdir=/overlay/work")) return;
    mount("/dev", "/overlay/root/dev", NULL, MS_MOVE, NULL);
    mount("/proc", "/overlay/root/proc", NULL, MS_MOVE, NULL);
    if (chdir("/overlay/root") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/"))
        tell_failure("cannot change to", "the layer in memory");
}

// The device of a partition of the root's disk: "/dev/mmcblk0p4" for 4. The kernel knows the root's by its number, while nothing covers
// the root.
static bool partition(int number, char *path, size_t size)
{
    struct stat root;
    char link[64], target[400];
    if (stat("/", &root)) return false;
    snprintf(link, sizeof link, "/sys/dev/block/%u:%u", major(root.st_dev), minor(root.st_dev));
    ssize_t length = readlink(link, target, sizeof target - 1);
    while (length > 0 && target[length - 1] >= '0' && target[length - 1] <= '9') length--;
    if (length <= 0) return false;
    target[length] = 0;
    snprintf(path, size, "/dev%s%d", strrchr(target, '/'), number);
    return true;
}

// Only root and the player's group, which owns its folder, may read vitrine.toml: it has passwords.
static void mount_films(const char *device)
{
    struct stat folder;
    char options[80];
    snprintf(options, sizeof options, "gid=%u,umask=027,utf8,errors=remount-ro",
             stat("/var/lib/vitrine", &folder) ? 0 : folder.st_gid);
    mounted(device, "/boot/firmware", "vfat", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME, options);
}

// Whether the file system has a fault that the kernel's replay of the journal does not mend: damage that the kernel has found and
// noted, or a growth that was cut off. The kernel then takes the size from before the replay, and the next growth would overwrite
// data that is in use.
static bool wants_check(const char *device)
{
    // ext4's superblock (Linux, Documentation/filesystems/ext4/super.rst), 1024 bytes from the start, little-endian as we are.
    struct { uint32_t inodes, blocks, reserved, free_blocks, free_inodes, first, log_block_size, other[7]; uint16_t magic, state; } super;
    const uint64_t least = 16 << 20;  // of a card's rest that is worth growing into; resize2fs leaves less than this
    int file = open(device, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    bool is_read = pread(file, &super, sizeof super, 1024) == sizeof super && super.magic == 0xEF53;
    uint64_t size = (uint64_t)lseek(file, 0, SEEK_END);
    close(file);
    return is_read && ((super.state & 2) || ((uint64_t)super.blocks << (10 + super.log_block_size)) + least < size);
}

static void mount_data(const char *device)
{
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME;
    // Data that no program syncs may wait a minute, because writing wears cards out.
    const char *const options = "commit=60";
    // After a power cut the kernel replays the journal here.
    if ((wants_check(device) && (errno = EUCLEAN)) || mount(device, "/data", "ext4", flags, options)) {
        // A missing driver, partition or memory is no damage that a new file system would mend.
        bool is_damaged = errno == EINVAL || errno == EUCLEAN || errno == EBADMSG;
        tell_failure("cannot mount, so it is checked:", device);
        char *check[] = { "/usr/sbin/e2fsck", "-fy", (char *)device, NULL };
        char *make[] = { "/usr/sbin/mkfs.ext4", "-Fq", "-i", "65536", "-L", "data", (char *)device, NULL };
        int status = run(check);
        // e2fsck(8): 4 is "errors left uncorrected", 8 also that nothing of a file system is to be seen.
        if (status < 0 || status > 2 || mount(device, "/data", "ext4", flags, options)) {
            if (!is_damaged || status < 0 || status > 8) return;
            report(3, "beyond repair, so it is made anew", device);
            if (run(make) || !mounted(device, "/data", "ext4", flags, options)) return;
        }
    }
    // systemd sets their owners by StateDirectory=.
    static const char *const folders[][2] = { { "/data/vitrine", "/var/lib/vitrine" }, { "/data/journal", "/var/log/journal" },
                                              { "/data/timesync", "/var/lib/systemd/timesync" } };
    for (int i = 0; i < 3; i++) {
        mkdir(folders[i][0], 0755);
        mounted(folders[i][0], folders[i][1], NULL, MS_BIND, NULL);
    }
}

// Gives devices to the player's group, which is its folder's. The kernel makes them root's, and udev gives them to their own groups
// a second or more after the player has started.
static void give_devices(void)
{
    static const char *const patterns[] = {
        "/dev/dri/card*", "/dev/dri/renderD*", "/dev/input/event*", "/dev/snd/*", "/dev/video*", "/dev/media*", "/dev/dma_heap/*",
    };
    struct stat folder;
    if (stat("/var/lib/vitrine", &folder)) return;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        if (glob(patterns[i], 0, NULL, &found)) continue;
        for (size_t j = 0; j < found.gl_pathc; j++)
            if (chown(found.gl_pathv[j], 0, folder.st_gid) || chmod(found.gl_pathv[j], 0660))
                tell_failure("cannot give away", found.gl_pathv[j]);
        globfree(&found);
    }
}

int main(void)
{
    char films[64], data[64];
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    report(6, "preinit", NULL);
    read_ahead();
    // Only for the partitions' names; systemd mounts its own.
    mount("sys", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    bool has_films = partition(1, films, sizeof films), has_data = partition(4, data, sizeof data);
    umount("/sys");
    load_modules();
    layer();
    if (has_films) mount_films(films);
    give_devices();
    if (has_data) mount_data(data);
    // Where /etc/machine-id leads to. systemd fills it at the first start: logs of several starts then lie in one folder.
    int id = open("/data/machine-id", O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
    if (id < 0) tell_failure("cannot write", "/data/machine-id");
    else close(id);
    // systemd takes over a /proc that is there.
    report(6, "systemd", NULL);
    become(systemd);
    return 1;
}
