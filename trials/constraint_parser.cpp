#include <algorithm>
#include <map>
#include <optional>

#include "trials/constraint_lexer.h"
#include "trials/constraint_node.h"
#include "trials/number.h"

namespace hpsearch {
namespace {

using Node = Constraint::Node;

constexpr int kDeepestRule = 64;
constexpr std::size_t kMaxLength = 2000;

const std::map<std::string, Comparison> kComparisons{
    {"<", Comparison::less},           {"<=", Comparison::less_equal}, {">", Comparison::greater},
    {">=", Comparison::greater_equal}, {"==", Comparison::equal},      {"!=", Comparison::not_equal}};
const std::map<std::string, Operation> kSums{{"+", Operation::add}, {"-", Operation::subtract}};
const std::map<std::string, Operation> kProducts{
    {"*", Operation::multiply}, {"/", Operation::divide}, {"%", Operation::modulo}};
const std::map<std::string, Operation> kFunctions{{"min", Operation::minimum},
                                                  {"max", Operation::maximum},
                                                  {"abs", Operation::absolute},
                                                  {"log", Operation::logarithm},
                                                  {"sqrt", Operation::square_root}};
const std::map<std::string, std::string> kForeignWords{
    {"&&", "and"}, {"||", "or"}, {"!", "not"}, {"=", "=="}, {"True", "true"}, {"False", "false"}, {"None", "null"}};

Node combined(Operation operation, Node left, Node right) {
  Node node;
  node.operation = operation;
  node.operands = {std::move(left), std::move(right)};
  return node;
}

Node wrapped(Operation operation, std::vector<Node> operands) {
  Node node;
  node.operation = operation;
  node.operands = std::move(operands);
  return node;
}

Node literal_node(RuleValue value) {
  Node node;
  node.literal = std::move(value);
  return node;
}

// What kind of value an operation gives, as far as its text tells: a parameter may be anything.
enum class Sort { any, truth, number, other };

Sort sort_of(const Node& node) {
  switch (node.operation) {
    case Operation::name: return Sort::any;
    case Operation::literal:
      if (std::holds_alternative<bool>(node.literal)) return Sort::truth;
      return node.literal.index() >= 3 && node.literal.index() <= 4 ? Sort::number : Sort::other;
    case Operation::compare: case Operation::both: case Operation::either: case Operation::negation:
      return Sort::truth;
    case Operation::add: case Operation::subtract: case Operation::multiply: case Operation::divide:
    case Operation::modulo: case Operation::power: case Operation::negate: case Operation::minimum:
    case Operation::maximum: case Operation::absolute: case Operation::logarithm: case Operation::square_root:
      return Sort::number;
  }
  return Sort::any;
}

class Parser {
 public:
  Parser(const std::string& rule, std::vector<std::string>& names) : tokens_(constraint_tokens(rule)), names_(names) {}

  Node rule() {
    Node node = truth(&Parser::either);
    if (peek().kind != TokenKind::end) unexpected("a comparison or the end of the rule");
    return node;
  }

 private:
  using Rule = Node (Parser::*)();

  const ConstraintToken& peek() const { return tokens_[at_]; }
  bool symbol(const std::string& text) const { return peek().kind == TokenKind::symbol && peek().text == text; }
  bool word(const std::string& text) const {
    return peek().kind == TokenKind::name && !peek().quoted && peek().text == text;
  }

  [[noreturn]] void unexpected(const std::string& wanted) const {
    const auto foreign = peek().quoted ? kForeignWords.end() : kForeignWords.find(peek().text);
    if (foreign != kForeignWords.end())
      constraint_fault(peek().column, "\"" + peek().text + "\" is written \"" + foreign->second + "\" here");
    const std::string found = peek().kind == TokenKind::end ? "the rule ends" : "\"" + peek().text + "\" stands";
    constraint_fault(peek().column, found + " where " + wanted + " is expected");
  }

  // Parses by `part` and refuses what can be neither true nor false.
  Node truth(Rule part) {
    const int column = peek().column;
    Node node = (this->*part)();
    const Sort sort = sort_of(node);
    const bool at_foreign = !peek().quoted && kForeignWords.count(peek().text) > 0;
    if (at_foreign) unexpected("a comparison");
    if (sort == Sort::number || sort == Sort::other) constraint_fault(column, "this is a value, not a comparison");
    return node;
  }

  // Parses by `part` and refuses what is no number.
  Node number(Rule part) {
    const int column = peek().column;
    Node node = (this->*part)();
    if (sort_of(node) == Sort::truth || sort_of(node) == Sort::other)
      constraint_fault(column, "this is no number to calculate with");
    return node;
  }

  Node either() {
    Node node = both();
    while (word("or")) node = joined(Operation::either, std::move(node), &Parser::both);
    return node;
  }

  Node both() {
    Node node = negation();
    while (word("and")) node = joined(Operation::both, std::move(node), &Parser::negation);
    return node;
  }

  Node joined(Operation operation, Node left, Rule right) {
    if (sort_of(left) == Sort::number || sort_of(left) == Sort::other)
      constraint_fault(peek().column, "before \"" + peek().text + "\" stands a value, not a comparison");
    ++at_;
    return combined(operation, std::move(left), truth(right));
  }

  Node negation() {
    if (!word("not")) return comparison();
    const Nesting nesting(*this);
    ++at_;
    return wrapped(Operation::negation, {truth(&Parser::negation)});
  }

  Node comparison() {
    Node first = sum();
    if (peek().kind != TokenKind::symbol || !kComparisons.count(peek().text)) return first;
    Node chain = wrapped(Operation::compare, {std::move(first)});
    while (peek().kind == TokenKind::symbol && kComparisons.count(peek().text)) {
      chain.comparisons.push_back(kComparisons.at(tokens_[at_++].text));
      chain.operands.push_back(sum());
    }
    return chain;
  }

  Node sum() { return left_to_right(kSums, &Parser::product); }
  Node product() { return left_to_right(kProducts, &Parser::signed_value); }

  Node left_to_right(const std::map<std::string, Operation>& operations, Rule operand) {
    const int column = peek().column;
    Node node = (this->*operand)();
    while (peek().kind == TokenKind::symbol && operations.count(peek().text)) {
      if (sort_of(node) == Sort::truth || sort_of(node) == Sort::other)
        constraint_fault(column, "this is no number to calculate with");
      const Operation operation = operations.at(tokens_[at_++].text);
      node = combined(operation, std::move(node), number(operand));
    }
    return node;
  }

  Node signed_value() {
    if (!symbol("-")) return power();
    const Nesting nesting(*this);
    ++at_;
    if (peek().kind == TokenKind::number && peek().text == "9223372036854775808") {
      ++at_;
      return literal_node(std::int64_t{-9223372036854775807} - 1);
    }
    return wrapped(Operation::negate, {number(&Parser::signed_value)});
  }

  Node power() {
    Node base = value();
    if (!symbol("^")) return base;
    const Nesting nesting(*this);
    ++at_;
    return combined(Operation::power, std::move(base), number(&Parser::signed_value));
  }

  Node value() {
    const ConstraintToken& token = peek();
    if (token.kind == TokenKind::number) return number_literal();
    if (token.kind == TokenKind::text) return literal_node(tokens_[at_++].text);
    if (symbol("(")) return parenthesis();
    if (token.kind == TokenKind::name) return name_or_function();
    unexpected("a value");
  }

  Node number_literal() {
    const ConstraintToken& token = tokens_[at_++];
    if (const auto integer = parse_integer(token.text)) return literal_node(*integer);
    const auto number = parse_number(token.text);
    if (!number) constraint_fault(token.column, "\"" + token.text + "\" is no number");
    return literal_node(*number);
  }

  Node parenthesis() {
    const Nesting nesting(*this);
    ++at_;
    Node node = either();
    close();
    return node;
  }

  void close() {
    if (!symbol(")")) unexpected("\")\"");
    ++at_;
  }

  Node name_or_function() {
    const ConstraintToken& token = tokens_[at_++];
    if (!token.quoted) {
      if (symbol("(")) return function(token);
      if (token.text == "true" || token.text == "false") return literal_node(token.text == "true");
      if (token.text == "null") return literal_node(nullptr);
      const bool reserved = token.text == "and" || token.text == "or" || token.text == "not";
      if (reserved || kForeignWords.count(token.text)) --at_, unexpected("a value");
    }
    if (std::find(names_.begin(), names_.end(), token.text) == names_.end()) names_.push_back(token.text);
    Node node;
    node.operation = Operation::name;
    node.name = token.text;
    return node;
  }

  Node function(const ConstraintToken& name) {
    const Nesting nesting(*this);
    const auto known = kFunctions.find(name.text);
    if (known == kFunctions.end())
      constraint_fault(name.column, "\"" + name.text + "\" is no function: abs, log, max, min and sqrt are");
    std::vector<Node> operands;
    do {
      ++at_;
      operands.push_back(number(&Parser::sum));
    } while (symbol(","));
    close();
    const bool many = known->second == Operation::minimum || known->second == Operation::maximum;
    if (!many && operands.size() != 1) constraint_fault(name.column, name.text + " takes one value");
    return wrapped(known->second, std::move(operands));
  }

  // Bounds the recursion, here and in the evaluation.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kDeepestRule) constraint_fault(parser_.peek().column, "nested too deep");
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  std::vector<ConstraintToken> tokens_;
  std::vector<std::string>& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Node parse_constraint(const std::string& rule, std::vector<std::string>& names) {
  if (rule.size() > kMaxLength) constraint_fault(1, "a rule has at most " + std::to_string(kMaxLength) + " characters");
  return Parser(rule, names).rule();
}

}  // namespace hpsearch
