#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/campaign_run/campaign_report.h"

namespace convproof::campaign {

// Inline SVG that takes its colours from the page. Its text is never below 12 px.

// What a row is called where there is little room: its number; `r1` for a rewrite, since each list
// of a table of candidates counts from one.
std::string short_name(const RowReport& row);

// Which rows match what other rows match: a cell per pair, darker with the share. Of a size that
// can be read: its box scrolls where it is wider than the page.
std::string overlap_svg(const TableReport& table);

struct PlotLine {
  std::string name{};
  std::vector<std::pair<double, double>> points{};
};
// Lines over a common axis, from zero. `unit` names the horizontal axis.
std::string plot_svg(std::string_view title, std::string_view unit,
                     const std::vector<PlotLine>& lines);

// 1234567 as `1.2M`, 1234 as `1.2k`.
std::string short_number(double value);

}  // namespace convproof::campaign
