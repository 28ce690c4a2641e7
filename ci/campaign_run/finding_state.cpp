#include "ci/campaign_run/finding_state.h"

#include <algorithm>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ci/campaign_run/finding_json.h"

namespace convproof::campaign {
namespace {

using Json = nlohmann::ordered_json;

const CampaignFinding* find(const PastCampaign& past, const std::string& fingerprint) {
  const auto found = std::ranges::find(past.findings, fingerprint, &CampaignFinding::fingerprint);
  return found == past.findings.end() ? nullptr : &*found;
}

FindingState state_of(const History& history, const CampaignFinding& finding) {
  const auto had = [&](const PastCampaign& past) {
    return find(past, finding.fingerprint) != nullptr;
  };
  const auto first = std::ranges::find_if(history, had);
  if (first == history.end()) {
    return finding.known.empty() ? FindingState::fresh : FindingState::unchanged;
  }
  return std::all_of(first, history.end(), had) ? FindingState::unchanged : FindingState::flapping;
}

}  // namespace

std::expected<History, Error> parse_history(std::string_view json_text, std::string_view file) {
  const auto refuse = [&](std::string rule) {
    return std::unexpected(Error{std::string(file), "", std::move(rule)});
  };
  const Json document = Json::parse(json_text, nullptr, false);
  if (!document.is_object() || document.value("version", Json()) != 1 ||
      !document.contains("campaigns") || !document["campaigns"].is_array()) {
    return refuse("is no history of version 1");
  }
  History history;
  for (const Json& past : document["campaigns"]) {
    PastCampaign campaign;
    if (!past.is_object() || !past.contains("findings") || !past["findings"].is_array()) {
      return refuse("campaigns: each needs its findings");
    }
    for (const Json& entry : past["findings"]) {
      auto finding = finding_from(entry.dump());
      if (!finding) return refuse(to_string(finding.error()));
      campaign.findings.push_back(std::move(*finding));
    }
    history.push_back(std::move(campaign));
  }
  return history;
}

std::string write_history(const History& history) {
  Json document{{"version", 1}, {"campaigns", Json::array()}};
  for (const PastCampaign& past : history) {
    Json findings = Json::array();
    for (const CampaignFinding& finding : past.findings) {
      findings.push_back(Json::parse(finding_to_json(finding)));
    }
    document["campaigns"].push_back({{"findings", std::move(findings)}});
  }
  return document.dump(1) + "\n";
}

void remember(const CampaignReport& report, History& history) {
  PastCampaign now;
  for (const CampaignFinding& finding : report.findings) {
    if (finding.state != FindingState::absent) now.findings.push_back(finding);
  }
  history.push_back(std::move(now));
  if (history.size() > longest_history) history.erase(history.begin());
}

void give_states(const History& history, std::vector<CampaignFinding>& findings) {
  for (CampaignFinding& finding : findings) finding.state = state_of(history, finding);
  if (history.empty()) return;
  for (const CampaignFinding& past : history.back().findings) {
    if (std::ranges::find(findings, past.fingerprint, &CampaignFinding::fingerprint) !=
        findings.end()) {
      continue;
    }
    CampaignFinding gone = past;
    gone.state = FindingState::absent;
    findings.push_back(std::move(gone));
  }
}

}  // namespace convproof::campaign
