#include "Category.h"
#include "CVideoSink.h"
#include <gst/gst.h>

// How much faster than the machine's clock another clock may run between two readings. A card that goes away reports no more what
// it has not played yet: its clock jumps ahead by all of its buffer, up to 200 ms.
#define LONGEST_JUMP (40 * GST_MSECOND)

// The part of its pace by which this clock runs faster until it has caught up with one that had jumped.
#define CATCHING_UP 8

typedef struct {
    GstSystemClock parent;
    GMutex lock;
    GstClock *source;
    // By how much the source is ahead because of jumps that were not followed. Where it goes on, it is caught up with.
    GstClockTime ahead;
    // Readings of the last time: of this clock, of the machine's, of the source's.
    GstClockTime time, machine, place;
} FilmClock;

typedef struct {
    GstSystemClockClass parent;
} FilmClockClass;

static GType film_clock_get_type(void);
G_DEFINE_TYPE(FilmClock, film_clock, GST_TYPE_SYSTEM_CLOCK)

static GstClockTime machine_time(void) { return (GstClockTime)g_get_monotonic_time() * GST_USECOND; }

static GstClockTime read_clock(FilmClock *self)
{
    GstClockTime machine = machine_time(), passed = machine - self->machine;
    if (self->source) {
        GstClockTime place = gst_clock_get_internal_time(self->source);
        GstClockTime moved = place > self->place ? place - self->place : 0;
        if (moved <= passed + LONGEST_JUMP) {
            GstClockTime more = MIN(self->ahead, moved / CATCHING_UP);
            self->ahead -= more;
            passed = moved + more;
        } else {
            self->ahead += moved - passed;
            GST_INFO_OBJECT(self, "%" G_GUINT64_FORMAT " ms of a jump are not followed at once", (moved - passed) / GST_MSECOND);
        }
        self->place = place;
    }
    self->machine = machine;
    self->time += passed;
    return self->time;
}

static GstClockTime internal_time(GstClock *clock)
{
    FilmClock *self = (FilmClock *)clock;
    g_mutex_lock(&self->lock);
    GstClockTime time = read_clock(self);
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
    self->machine = machine_time();
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
    self->ahead = 0;
    if (source) self->place = gst_clock_get_internal_time(source);
    g_mutex_unlock(&self->lock);
}
