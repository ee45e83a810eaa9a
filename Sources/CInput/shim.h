// The parts of libinput and libudev that Vitrine uses.
#pragma once
#include <libinput.h>
#include <libudev.h>
#include <stdio.h>

// The user data of libinput's callbacks.
struct cinput_owner {
    void *object;
    void (*log)(void *object, enum libinput_log_priority priority, const char *text);
};

// libinput passes its log as a va_list, which Swift cannot import on every architecture: the text is formatted here.
static inline void cinput_log(struct libinput *libinput, enum libinput_log_priority priority, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

static inline void cinput_log(struct libinput *libinput, enum libinput_log_priority priority, const char *format, va_list arguments) {
    // libinput's longest lines contain a name and a node; longer ones are cut.
    char text[512];
    const struct cinput_owner *owner = libinput_get_user_data(libinput);
    vsnprintf(text, sizeof text, format, arguments);
    owner->log(owner->object, priority, text);
}

// Sends libinput's log to its owner. The context's user data must be a `struct cinput_owner`.
static inline void cinput_log_to_owner(struct libinput *libinput) {
    libinput_log_set_handler(libinput, cinput_log);
}
