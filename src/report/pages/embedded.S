/* The pages, as they are, each between two names that pages.cc knows. */
  .section .rodata

#define PAGE(name, file)            \
  .global ridgeline_##name##_begin; \
  .global ridgeline_##name##_end;   \
  ridgeline_##name##_begin:         \
  .incbin file;                     \
  ridgeline_##name##_end:

PAGE(report_page, "report.html")
PAGE(runs_page, "runs.html")
PAGE(sweep_page, "sweep.html")

  .section .note.GNU-stack, "", %progbits
