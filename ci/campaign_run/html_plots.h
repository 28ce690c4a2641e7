#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/campaign_run/campaign_report.h"

namespace convproof::campaign {

// Inline SVG that scales with the page and takes its colours from it.

// Which rows match what other rows match: a cell per pair, darker with the share.
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
