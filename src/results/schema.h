#pragma once

namespace ridgeline::results {

// The tables of results.sqlite, as SQL; docs/results-schema.md explains them. Later
// versions add tables, and columns at the end of tables; what is here keeps its name and
// its meaning.
extern const char* const kResultsSchema;

}  // namespace ridgeline::results
