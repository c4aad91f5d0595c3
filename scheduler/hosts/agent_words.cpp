#include "scheduler/hosts/agent_words.h"

#include <stdexcept>

namespace hpsearch {

Json name_json(AttemptName name) { return Json::array({name.trial, name.attempt}); }

AttemptName parse_name_json(const Json& json) { return {json.at(0).get<int>(), json.at(1).get<int>()}; }

SchedulerWord parse_word_json(const Json& json) {
  if (auto word = parse_word(json.dump())) return *word;
  throw std::invalid_argument("not a word to an attempt: " + json.dump());
}

Json adoption_json(const Adoption& adoption) {
  Json words = Json::array();
  for (const SchedulerWord& word : adoption.words) words.push_back(Json::parse(word_text(word)));
  return {{"name", name_json(adoption.name)}, {"id", adoption.id}, {"seen", adoption.seen}, {"metric", adoption.metric},
          {"words", words}};
}

Adoption parse_adoption(const Json& json) {
  Adoption adoption;
  adoption.name = parse_name_json(json.at("name"));
  json.at("id").get_to(adoption.id);
  json.at("seen").get_to(adoption.seen);
  json.at("metric").get_to(adoption.metric);
  for (const Json& word : json.at("words")) adoption.words.push_back(parse_word_json(word));
  return adoption;
}

}  // namespace hpsearch
