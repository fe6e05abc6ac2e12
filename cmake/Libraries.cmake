# Third-party libraries, each as one target. A room names the ones that it uses in
# EXTERNAL (cmake/Module.cmake); docs/dependencies.md says why each is here.
find_package(PkgConfig REQUIRED)
pkg_check_modules(yaml REQUIRED IMPORTED_TARGET yaml-0.1>=0.2.5)
pkg_check_modules(nettle REQUIRED IMPORTED_TARGET nettle>=3.8)
pkg_check_modules(gmpxx REQUIRED IMPORTED_TARGET gmpxx>=6.2)
pkg_check_modules(pcre2 REQUIRED IMPORTED_TARGET libpcre2-8>=10.40)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib>=1.2)
pkg_check_modules(png REQUIRED IMPORTED_TARGET libpng>=1.6)
pkg_check_modules(jpeg REQUIRED IMPORTED_TARGET libjpeg>=2.1)
pkg_check_modules(webp REQUIRED IMPORTED_TARGET libwebp>=1.2)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo>=1.16)
pkg_check_modules(pango REQUIRED IMPORTED_TARGET pangocairo>=1.50)
find_package(simdjson REQUIRED)  # 3.0; its package says that only 3.0.x is 3.0.
if(simdjson_VERSION VERSION_LESS 3.0)
  message(FATAL_ERROR "simdjson ${simdjson_VERSION} is too old: 3.0 is needed")
endif()
find_package(fmt 9.1 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)

# The words of EXTERNAL.
set(RIDGELINE_LIBRARY_yaml PkgConfig::yaml)
set(RIDGELINE_LIBRARY_gmp PkgConfig::gmpxx)
set(RIDGELINE_LIBRARY_nettle PkgConfig::nettle)
set(RIDGELINE_LIBRARY_pcre2 PkgConfig::pcre2)
set(RIDGELINE_LIBRARY_zlib PkgConfig::zlib)
set(RIDGELINE_LIBRARY_png PkgConfig::png)
set(RIDGELINE_LIBRARY_jpeg PkgConfig::jpeg)
set(RIDGELINE_LIBRARY_webp PkgConfig::webp)
set(RIDGELINE_LIBRARY_cairo PkgConfig::cairo)
set(RIDGELINE_LIBRARY_pango PkgConfig::pango)
set(RIDGELINE_LIBRARY_simdjson simdjson::simdjson)
set(RIDGELINE_LIBRARY_fmt fmt::fmt)
set(RIDGELINE_LIBRARY_json nlohmann_json::nlohmann_json)

# Loading shared libraries is most of what a short run costs: 1.8 ms from start to
# end with all of them shared, 0.9 ms with only libc and libm. The C++ runtime is linked
# into `ridgeline` as well (src/app), but not into what uses libtorch, which brings it.
if(RIDGELINE_STATIC)
  find_library(RIDGELINE_LIBYAML_A libyaml.a REQUIRED)
  find_library(RIDGELINE_LIBGMP_A libgmp.a REQUIRED)
  find_library(RIDGELINE_LIBGMPXX_A libgmpxx.a REQUIRED)
  find_library(RIDGELINE_LIBNETTLE_A libnettle.a REQUIRED)
  set(RIDGELINE_LIBRARY_nettle ${RIDGELINE_LIBNETTLE_A})
  set(RIDGELINE_LIBRARY_yaml ${RIDGELINE_LIBYAML_A})
  set(RIDGELINE_LIBRARY_gmp ${RIDGELINE_LIBGMPXX_A} ${RIDGELINE_LIBGMP_A})
  set(RIDGELINE_LIBRARY_fmt fmt::fmt-header-only) # Debian has no static libfmt.
endif()
