// Bug: if the driver refuses a scaled frame, kmssink stops scaling without a report, and shows a corner of each frame.
// Not reported.
// Versions: all; GStreamer's main branch of August 2026 still has it (gst_kms_sink_show_frame).
// May go when kmssink reports it. The rig has no such driver.
#include "WorkaroundRefusedScaling.h"

void vitrine_refused_scaling_report(PlaneShape *shape, GstBaseSink *sink)
{
    gboolean may_scale = FALSE;
    if (!shape->scales) return;
    g_object_get(sink, "can-scale", &may_scale, NULL);
    if (may_scale) return;
    shape->scales = false;
    GST_WARNING_OBJECT(sink, "the driver refuses scaled frames");
    gst_element_post_message(GST_ELEMENT(sink), gst_message_new_element(
        GST_OBJECT(sink), gst_structure_new_empty("vitrine-scaling-refused")));
}
