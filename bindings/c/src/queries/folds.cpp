// Folds over lists and pairs.

#include <cstdint>

#include "bindings/c/src/queries/configured.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/structs.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/memory.hpp"
#include "throng/queries/folds.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

template <class Number, class View, class Given>
View column_of(const Given& given) noexcept {
    return {static_cast<Number*>(given.first), as_size(given.count),
            given.stride == 0 ? sizeof(Number) : as_size(given.stride)};
}
Status read_column(const throng_column& given, Column& column) noexcept {
    if (given.type > THRONG_DOUBLES) return {Code::bad_config, Argument::values};
    column = given.type == THRONG_FLOATS ? column_of<const float, Column>(given)
                                         : column_of<const double, Column>(given);
    return {};
}
Status read_column(const throng_result_column& given, ResultColumn& column) noexcept {
    if (given.type > THRONG_DOUBLES) return {Code::bad_config, Argument::output};
    column = given.type == THRONG_FLOATS ? column_of<float, ResultColumn>(given)
                                         : column_of<double, ResultColumn>(given);
    return {};
}
template <class Given, class View>
Status read_columns(const Given* first, uint64_t count, Argument which,
                    detail::Buffer<View>& columns) noexcept {
    if (const Status bad = check_array(first, count, which); !bad) return bad;
    if (!columns.resize(as_size(count), View())) return {Code::out_of_memory};
    for (std::size_t c = 0; c < columns.size(); ++c)
        if (Status bad = read_column(first[c], columns[c]); !bad) return {bad.code, c, bad.argument};
    return {};
}

Status read_links(const throng_links* given, Links& links) noexcept {
    throng_links own;
    if (const Status bad = read(given, own, Argument::lists, false); !bad) return bad;
    if (own.are_pairs != 0)
        links = Links::pairs({reinterpret_cast<const Pair*>(own.pairs), as_size(own.pair_count)});
    else
        links = Links::lists({own.offsets, as_size(own.offset_count)}, {own.ids, as_size(own.id_count)},
                             {own.places, as_size(own.place_count)});
    return {};
}

Status read_fold(const throng_fold* given, FoldConfig& config) noexcept {
    throng_fold own;
    if (const Status bad = read(given, own, Argument::options, true); !bad) return bad;
    if (own.by > THRONG_FOLD_COUNT) return {Code::bad_config, Argument::options};
    config.by = static_cast<Fold>(own.by);
    config.empty = own.empty;
    if (own.weights == nullptr) return {};
    const Status bad = read_column(*own.weights, config.weights);
    return bad ? bad : Status{bad.code, Argument::weights};
}

Status fold_given(const throng_links* given, const throng_column* values, uint64_t value_count,
                  const throng_result_column* results, uint64_t room, const throng_fold* wanted,
                  const throng_engine_config* given_config) noexcept {
    Links links = Links::pairs({});
    FoldConfig config;
    Configured configured;
    Status status =
        first_fault(read_links(given, links), read_fold(wanted, config), configured.view(given_config));
    if (!status) return status;
    const ArrayQueryConfig& own = configured;
    config.executor = own.executor;
    config.memory = own.memory;
    detail::Buffer<Column> columns(own.memory);
    detail::Buffer<ResultColumn> to(own.memory);
    status = read_columns(values, value_count, Argument::values, columns);
    if (status) status = read_columns(results, room, Argument::output, to);
    if (!status) return status;
    return fold(links, detail::ViewedSpan<Column>(columns.data(), columns.size()),
                detail::ViewedSpan<ResultColumn>(to.data(), to.size()), config);
}

}  // namespace

int32_t throng_arrays_fold(const throng_links* links, const throng_column* values, uint64_t value_count,
                           const throng_result_column* results, uint64_t room, const throng_fold* fold,
                           const throng_engine_config* config, throng_status_details* details) {
    return report(details, fold_given(links, values, value_count, results, room, fold, config));
}
