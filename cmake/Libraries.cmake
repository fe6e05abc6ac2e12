# Third-party libraries, each as one target. A module names the ones that it uses in
# EXTERNAL (cmake/Module.cmake); docs/dependencies.md says why each is here.
find_package(PkgConfig REQUIRED)
pkg_check_modules(yaml REQUIRED IMPORTED_TARGET yaml-0.1>=0.2.5)
pkg_check_modules(nettle REQUIRED IMPORTED_TARGET nettle>=3.8)
pkg_check_modules(gmpxx REQUIRED IMPORTED_TARGET gmpxx>=6.2)
pkg_check_modules(pcre2 REQUIRED IMPORTED_TARGET libpcre2-8>=10.40)
pkg_check_modules(png REQUIRED IMPORTED_TARGET libpng>=1.6)
pkg_check_modules(jpeg REQUIRED IMPORTED_TARGET libjpeg>=2.1)
pkg_check_modules(webp REQUIRED IMPORTED_TARGET libwebp>=1.2)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo>=1.16)
pkg_check_modules(pango REQUIRED IMPORTED_TARGET pangocairo>=1.50)
pkg_check_modules(sqlite REQUIRED IMPORTED_TARGET sqlite3>=3.40)
# Its package says with which features the library was built; its types depend on them.
pkg_check_modules(httplib REQUIRED IMPORTED_TARGET cpp-httplib>=0.11)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib>=1.2.13)
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
set(RIDGELINE_LIBRARY_sqlite PkgConfig::sqlite)
set(RIDGELINE_LIBRARY_httplib PkgConfig::httplib)
set(RIDGELINE_LIBRARY_simdjson simdjson::simdjson)
set(RIDGELINE_LIBRARY_fmt fmt::fmt)
set(RIDGELINE_LIBRARY_json nlohmann_json::nlohmann_json)

# Loading shared libraries is most of what a short run costs (processor time of
# `ridgeline --version` on a busy machine, medians of six series that differ by up to half;
# a program that does nothing takes 1.2 ms): 3.4 ms with png, jpeg, webp and pcre2 shared,
# 2.5 ms without. What is left is libsimdjson, of which Debian has no archive, and the C++
# runtime that it brings along: 1.3 ms without them. `ridgeline` has that runtime linked in
# as well (src/app), but not what uses libtorch, which brings it, too.
if(RIDGELINE_STATIC)
  # Puts archives in the place of a package's shared library; headers stay where they are.
  function(ridgeline_archives word)
    add_library(ridgeline_archives_${word} INTERFACE)
    target_include_directories(ridgeline_archives_${word} SYSTEM INTERFACE
      ${${word}_INCLUDE_DIRS})
    foreach(archive IN LISTS ARGN)
      find_library(RIDGELINE_${archive} ${archive} REQUIRED)
      target_link_libraries(ridgeline_archives_${word} INTERFACE ${RIDGELINE_${archive}})
    endforeach()
    set(RIDGELINE_LIBRARY_${word} ridgeline_archives_${word} PARENT_SCOPE)
  endfunction()

  ridgeline_archives(yaml libyaml.a)
  ridgeline_archives(gmp libgmpxx.a libgmp.a)
  ridgeline_archives(nettle libnettle.a)
  ridgeline_archives(pcre2 libpcre2-8.a)
  ridgeline_archives(sqlite libsqlite3.a)
  ridgeline_archives(zlib libz.a)
  ridgeline_archives(png libpng16.a libz.a)
  ridgeline_archives(jpeg libjpeg.a)
  # From 1.3 on, a part of libwebp is a library of its own.
  if(webp_VERSION VERSION_LESS 1.3)
    ridgeline_archives(webp libwebp.a)
  else()
    ridgeline_archives(webp libwebp.a libsharpyuv.a)
  endif()

  # Debian has no static libfmt, and fmt::fmt-header-only compiles fmt in each file that
  # uses it.
  add_library(ridgeline_fmt STATIC cmake/fmt.cc)
  get_target_property(fmt_headers fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(ridgeline_fmt SYSTEM PUBLIC ${fmt_headers})
  set(RIDGELINE_LIBRARY_fmt ridgeline_fmt)
endif()
