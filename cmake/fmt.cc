// fmt, compiled once for static builds: Debian's libfmt-dev has no static archive, and
// fmt::fmt-header-only compiles all of this again in every file that formats something.
#include <fmt/format-inl.h>

#include <locale>

FMT_BEGIN_NAMESPACE
namespace detail {

// The templates that fmt's headers declare and expect its library to define.
template locale_ref::locale_ref(const std::locale& locale);
template std::locale locale_ref::get<std::locale>() const;
template thousands_sep_result<char> thousands_sep_impl(locale_ref locale);
template char decimal_point_impl(locale_ref locale);
template void buffer<char>::append(const char* begin, const char* end);
template void vformat_to(buffer<char>& out, string_view format, format_args arguments,
                         locale_ref locale);
template dragonbox::decimal_fp<float> dragonbox::to_decimal(float value) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double value) noexcept;

}  // namespace detail
FMT_END_NAMESPACE
