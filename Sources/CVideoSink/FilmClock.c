#include "Category.h"
#include "CVideoSink.h"
#include <gst/gst.h>

// How much the source may gain on the machine's clock between two readings. A card that goes away no longer reports what it has
// not played: its clock jumps ahead by its whole buffer, up to 200 ms.
#define LONGEST_JUMP (40 * GST_MSECOND)

// After a jump, this clock runs faster by this fraction until it has caught up with its source.
#define CATCHING_UP 8

// How far this clock may be from its source. Within that, it follows the machine's clock. A card may report its position in steps
// of 10 ms, or 10 ms late if the thread that writes to it gets no processor. The slack hides both, and the phase of the step at
// which a card was first or last read. alsasink moves its sound once its clock is 20 ms away (drift-tolerance).
#define SLACK (15 * GST_MSECOND)

// A reading that took longer than the first limit is dropped: the thread had no processor meanwhile, and the position is old. After
// the second limit a slow reading is used all the same, because every reading may be slow.
#define LONGEST_READING (2 * GST_MSECOND)
#define LONGEST_WITHOUT_READING (200 * GST_MSECOND)

typedef struct {
    GstSystemClock parent;
    GMutex lock;
    GstClock *source;
    VitrineClockPace pace;
} FilmClock;

typedef struct {
    GstSystemClockClass parent;
} FilmClockClass;

static GType film_clock_get_type(void);
G_DEFINE_TYPE(FilmClock, film_clock, GST_TYPE_SYSTEM_CLOCK)

static GstClockTime machine_time(void) { return (GstClockTime)g_get_monotonic_time() * GST_USECOND; }

void vitrine_clock_pace_read(VitrineClockPace *pace, uint64_t machine, uint64_t place, uint64_t end)
{
    GstClockTime time = pace->time + (machine - pace->machine), passed = machine - pace->followed;
    if (pace->is_following && (end - machine <= LONGEST_READING || passed > LONGEST_WITHOUT_READING)) {
        GstClockTime moved = place > pace->place ? place - pace->place : 0;
        if (moved <= passed + LONGEST_JUMP) {
            GstClockTime more = MIN(pace->ahead, moved / CATCHING_UP);
            pace->ahead -= more;
            pace->target += moved + more;
        } else {
            pace->ahead += moved - passed;
            pace->target += passed;
            GST_INFO("%" G_GUINT64_FORMAT " ms of a jump are not followed at once", (moved - passed) / GST_MSECOND);
        }
        pace->followed = machine;
        pace->place = place;
        time = CLAMP(time, pace->target - SLACK, pace->target + SLACK);
    }
    pace->machine = machine;
    pace->time = MAX(pace->time, time);
}

void vitrine_clock_pace_follow(VitrineClockPace *pace, bool is_following, uint64_t place)
{
    pace->is_following = is_following;
    pace->place = place;
    pace->followed = pace->machine;
    pace->ahead = 0;
    pace->target = pace->time;
}

static void read_clock(FilmClock *self)
{
    GstClockTime machine = machine_time(), place = self->source ? gst_clock_get_internal_time(self->source) : 0;
    vitrine_clock_pace_read(&self->pace, machine, place, machine_time());
}

static GstClockTime internal_time(GstClock *clock)
{
    FilmClock *self = (FilmClock *)clock;
    g_mutex_lock(&self->lock);
    read_clock(self);
    GstClockTime time = self->pace.time;
    g_mutex_unlock(&self->lock);
    return time;
}

static void finalize(GObject *object)
{
    FilmClock *self = (FilmClock *)object;
    gst_clear_object(&self->source);
    g_mutex_clear(&self->lock);
    G_OBJECT_CLASS(film_clock_parent_class)->finalize(object);
}

static void film_clock_class_init(FilmClockClass *class)
{
    G_OBJECT_CLASS(class)->finalize = finalize;
    GST_CLOCK_CLASS(class)->get_internal_time = internal_time;
}

static void film_clock_init(FilmClock *self)
{
    g_mutex_init(&self->lock);
    // Not 0, because times before the start are not handled.
    self->pace = (VitrineClockPace){.time = GST_SECOND, .machine = machine_time()};
}

GstClock *vitrine_film_clock_new(void)
{
    FilmClock *clock = g_object_new(film_clock_get_type(), "name", "film-clock", NULL);
    return GST_CLOCK(gst_object_ref_sink(clock));
}

void vitrine_film_clock_follow(GstClock *clock, GstClock *source)
{
    FilmClock *self = (FilmClock *)clock;
    g_mutex_lock(&self->lock);
    read_clock(self);
    gst_object_replace((GstObject **)&self->source, (GstObject *)source);
    vitrine_clock_pace_follow(&self->pace, source, source ? gst_clock_get_internal_time(source) : 0);
    g_mutex_unlock(&self->lock);
}
