#include "ci/campaign_run/finding_json.h"

#include <array>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace convproof::campaign {
namespace {

using Json = nlohmann::ordered_json;

struct TextField {
  const char* name;
  std::string CampaignFinding::* text;
};
constexpr std::array text_fields{
    TextField{"fingerprint", &CampaignFinding::fingerprint},
    TextField{"signature", &CampaignFinding::signature},
    TextField{"kind", &CampaignFinding::kind},
    TextField{"table", &CampaignFinding::table},
    TextField{"row", &CampaignFinding::row},
    TextField{"kernel", &CampaignFinding::kernel},
    TextField{"clause", &CampaignFinding::clause},
    TextField{"operation", &CampaignFinding::operation},
    TextField{"reason", &CampaignFinding::reason},
    TextField{"first_difference", &CampaignFinding::first_difference},
    TextField{"replay", &CampaignFinding::replay},
    TextField{"saved", &CampaignFinding::saved},
    TextField{"file", &CampaignFinding::file},
    TextField{"known", &CampaignFinding::known},
};
constexpr std::array states{FindingState::fresh, FindingState::unchanged, FindingState::absent,
                            FindingState::flapping};

}  // namespace

std::string finding_to_json(const CampaignFinding& finding) {
  Json json;
  for (const TextField& field : text_fields) json[field.name] = finding.*field.text;
  json["line"] = finding.line;
  json["by"] = finding.by;
  json["state"] = name_of(finding.state);
  json["red"] = finding.red();
  // Names come from input files and need not be UTF-8.
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::expected<CampaignFinding, Error> finding_from(std::string_view json_text) {
  const auto refuse = [](std::string place, std::string rule) {
    return std::unexpected(Error{std::move(place), "", std::move(rule)});
  };
  const Json json = Json::parse(json_text, nullptr, false);
  if (!json.is_object()) return refuse("finding", "must be an object");
  CampaignFinding finding;
  for (const TextField& field : text_fields) {
    const auto value = json.find(field.name);
    if (value == json.end() || !value->is_string()) return refuse(field.name, "must be a text");
    finding.*field.text = value->get<std::string>();
  }
  const auto line = json.find("line");
  if (line == json.end() || !line->is_number_integer()) return refuse("line", "must be a number");
  finding.line = line->get<int>();
  const auto by = json.find("by");
  if (by == json.end() || !by->is_array()) return refuse("by", "must be an array");
  for (const Json& stage : *by) {
    if (!stage.is_string()) return refuse("by", "must hold texts");
    finding.by.push_back(stage.get<std::string>());
  }
  const auto state = json.find("state");
  for (const FindingState known : states) {
    if (state != json.end() && *state == name_of(known)) {
      finding.state = known;
      return finding;
    }
  }
  return refuse("state", "must be new, unchanged, absent or flapping");
}

}  // namespace convproof::campaign
