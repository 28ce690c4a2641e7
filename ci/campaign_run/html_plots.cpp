#include "ci/campaign_run/html_plots.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ci/campaign_run/printers.h"

namespace convproof::campaign {

std::string short_number(double value) {
  if (value >= 999'500'000) return fmt::format("{:.1f}G", value / 1e9);
  if (value >= 999'500) return fmt::format("{:.1f}M", value / 1e6);
  if (value >= 9'995) return fmt::format("{:.0f}k", value / 1e3);
  if (value >= 1'000) return fmt::format("{:.1f}k", value / 1e3);
  return fmt::format("{:g}", value);
}

std::string short_name(const RowReport& row) {
  return fmt::format("{}{}", row.rewrite ? "r" : "", row.number);
}

std::string overlap_svg(const TableReport& table) {
  constexpr std::size_t cell = 30;
  constexpr std::size_t margin = 34;
  const std::size_t count = table.rows.size();
  const std::size_t size = margin + count * cell + 2;
  std::string svg = fmt::format(
      "<svg class=\"matrix\" role=\"img\" viewBox=\"0 0 {0} {0}\" width=\"{0}\" "
      "height=\"{0}\"><title>Overlap of the rows of {1}</title>\n",
      size, escaped(table.name));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t middle = margin + i * cell + cell / 2;
    svg += fmt::format(
        "<text class=\"axis\" x=\"{0}\" y=\"{1}\" text-anchor=\"end\">{3}</text>"
        "<text class=\"axis\" x=\"{1}\" y=\"{2}\" text-anchor=\"middle\">{3}</text>\n",
        margin - 6, middle, margin - 10, short_name(table.rows[i]));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const RowReport& row = table.rows[i];
    for (std::size_t j = 0; j < count; ++j) {
      const std::size_t x = margin + j * cell;
      const std::size_t y = margin + i * cell;
      if (i == j) {
        svg += fmt::format("<rect class=\"self\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                           x, y, cell - 2, cell - 2);
        continue;
      }
      const std::int64_t both = j < row.overlaps.size() ? row.overlaps[j] : 0;
      const double share =
          row.matches == 0 ? 0 : static_cast<double>(both) / static_cast<double>(row.matches);
      // Rare overlaps must still be seen.
      const double opacity = both == 0 ? 0.04 : 0.15 + 0.85 * share;
      svg += fmt::format(
          "<g><title>{} of the {} operations that {} matches, {} matches as well</title>"
          "<rect class=\"heat\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
          "fill-opacity=\"{:.2f}\"/>",
          both, row.matches, escaped(row.id), escaped(table.rows[j].id), x, y, cell - 2, cell - 2,
          opacity);
      if (both > 0) {
        const double percent = 100 * share;
        svg += fmt::format("<text class=\"share{}\" x=\"{}\" y=\"{}\">{}</text>",
                           opacity > 0.55 ? " on" : "", x + cell / 2 - 1, y + cell / 2 - 1,
                           percent < 1 ? std::string("&lt;1") : fmt::format("{:.0f}", percent));
      }
      svg += "</g>\n";
    }
  }
  return svg + "</svg>\n";
}

std::string plot_svg(std::string_view title, std::string_view unit,
                     const std::vector<PlotLine>& lines) {
  // No wider than the narrowest card, so that nothing in it becomes smaller than it is here.
  constexpr double width = 280;
  constexpr double height = 152;
  constexpr double left = 44;
  constexpr double bottom = 128;
  constexpr double top = 12;
  constexpr double right = 272;
  double most_x = 1;
  double most_y = 1;
  for (const PlotLine& line : lines) {
    for (const auto& [x, y] : line.points) {
      most_x = std::max(most_x, x);
      most_y = std::max(most_y, y);
    }
  }
  const auto at_x = [&](double x) { return left + (right - left) * x / most_x; };
  const auto at_y = [&](double y) { return bottom - (bottom - top) * y / most_y; };
  std::string svg = fmt::format(
      "<figure class=\"plot\"><figcaption>{}</figcaption>"
      "<svg role=\"img\" viewBox=\"0 0 {} {}\"><title>{}</title>\n",
      escaped(title), width, height, escaped(title));
  for (const double part : {0.0, 0.5, 1.0}) {
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text class=\"tick\" x=\"{3}\" y=\"{2:.1f}\" text-anchor=\"end\">{4}</text>\n",
        left, right, at_y(part * most_y), left - 5, short_number(part * most_y));
  }
  svg += fmt::format(
      "<text class=\"tick\" x=\"{0}\" y=\"{1}\">0</text>"
      "<text class=\"tick\" x=\"{2}\" y=\"{1}\" text-anchor=\"end\">{3} {4}</text>\n",
      left, bottom + 14, right, short_number(most_x), escaped(unit));
  std::string legend;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string points = fmt::format("{:.1f},{:.1f}", at_x(0), at_y(0));
    for (const auto& [x, y] : lines[i].points) {
      points += fmt::format(" {:.1f},{:.1f}", at_x(x), at_y(y));
    }
    svg += fmt::format("<polyline class=\"line c{}\" points=\"{}\"/>\n", i % 6, points);
    legend += fmt::format(
        "<span class=\"key c{}\">{} {}</span>", i % 6, escaped(lines[i].name),
        lines[i].points.empty() ? std::string("0") : short_number(lines[i].points.back().second));
  }
  return fmt::format("{}</svg><div class=\"keys\">{}</div></figure>\n", svg, legend);
}

}  // namespace convproof::campaign
