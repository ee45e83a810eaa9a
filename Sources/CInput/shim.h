// Everything Vitrine uses of libinput and libudev.
#pragma once
#include <libinput.h>
#include <libudev.h>
#include <stdio.h>

// What libinput's callbacks are given as user data.
struct cinput_owner {
    void *object;
    void (*log)(void *object, enum libinput_log_priority priority, const char *text);
};

// libinput hands its log out as a va_list, which Swift cannot take on every architecture: the text is made here.
static inline void cinput_log(struct libinput *libinput, enum libinput_log_priority priority, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

static inline void cinput_log(struct libinput *libinput, enum libinput_log_priority priority, const char *format, va_list arguments) {
    // libinput's longest lines are a name and a node; what is longer is cut.
    char text[512];
    const struct cinput_owner *owner = libinput_get_user_data(libinput);
    vsnprintf(text, sizeof text, format, arguments);
    owner->log(owner->object, priority, text);
}

// Sends libinput's log to its owner. The context's user data must be a `struct cinput_owner`.
static inline void cinput_log_to_owner(struct libinput *libinput) {
    libinput_log_set_handler(libinput, cinput_log);
}
