#include "serve/http_server.h"

#include <httplib.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <optional>
#include <thread>

#include "os/random_file.h"
#include "serve/connections.h"
#include "serve/content_policy.h"
#include "serve/content_type.h"

namespace ridgeline::serve {

namespace {

// The stream from which the library reads requests and to which it writes responses.
class RequestStream : public httplib::Stream {
 public:
  RequestStream(Connections& all, socket_t socket)
      : connection_(all, socket), socket_(socket) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  // The library reads the head of a request byte by byte.
  ssize_t read(char* bytes, size_t size) override {
    if (next_ == filled_) {
      const ssize_t count = connection_.Read(buffer_.data(), buffer_.size());
      if (count <= 0) return count;
      next_ = 0;
      filled_ = static_cast<size_t>(count);
    }
    const size_t count = std::min(size, filled_ - next_);
    std::memcpy(bytes, buffer_.data() + next_, count);
    next_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, size_t size) override {
    return connection_.Write(bytes, size);
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return socket_; }

 private:
  Connections::Connection connection_;
  socket_t socket_;
  std::array<char, 4096> buffer_ = {};
  size_t next_ = 0;
  size_t filled_ = 0;
};

// The library blocks one of its eight threads on a silent client, and indefinitely on one
// that sends a byte now and then.
class BoundedServer : public httplib::Server {
 public:
  BoundedServer() {
    new_task_queue = [this] { return new Threads(connections_); };
  }
  Connections& connections() { return connections_; }
  // The library's backlog is five clients; a sixth retries after a second.
  void LetMoreWait() { ::listen(svr_sock_, SOMAXCONN); }

 private:
  class Threads : public httplib::ThreadPool {
   public:
    explicit Threads(Connections& connections)
        : ThreadPool(Connections::kMost), connections_(connections) {}
    void enqueue(std::function<void()> answer) override {
      connections_.Expect();
      ThreadPool::enqueue(std::move(answer));
    }

   private:
    Connections& connections_;
  };

  // One request per connection: data after a rejected request is never taken for the next
  // one, and idle browser connections do not occupy a thread.
  bool process_and_close_socket(socket_t socket) override {
    RequestStream stream(connections_, socket);
    bool is_closed = false;
    return process_request(stream, /*close_connection=*/true, is_closed, nullptr);
  }

  Connections connections_;
};

}  // namespace

struct HttpServer::Implementation {
  BoundedServer server;
};

namespace {

constexpr const char* kPolicyHeader = "Content-Security-Policy";
constexpr size_t kPieceBytes = size_t{256} << 10;

// Sends the file in pieces. If it was truncated meanwhile, the connection is closed,
// because Content-Length was already sent.
void SetFile(os::RandomFile opened, const std::string& type,
             httplib::Response& response) {
  // The library requires a copyable object.
  const auto file = std::make_shared<const os::RandomFile>(std::move(opened));
  response.set_content_provider(
      static_cast<size_t>(file->size()), type,
      [file](size_t offset, size_t length, httplib::DataSink& sink) {
        std::string piece(std::min(length, kPieceBytes), '\0');
        const Result<size_t> count = file->Read(static_cast<int64_t>(offset), piece);
        if (!count.ok() || count.value() == 0) return false;
        return sink.write(piece.data(), count.value());
      });
}

// The library applies the ranges of a request to every response, including errors, and
// does not check them against the file size, so they are corrected here. False: the range
// is outside the file. Several ranges are ignored, and the whole file is sent.
bool MendRanges(const httplib::Request& request, std::optional<int64_t> file_size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  auto& ranges = const_cast<httplib::Ranges&>(request.ranges);
  if (ranges.size() != 1 || !file_size || request.method == "HEAD") {
    ranges.clear();
    return true;
  }
  const auto range = RangeWithin({ranges[0].first, ranges[0].second}, *file_size);
  ranges.clear();
  if (range) ranges.emplace_back(range->first, range->last);
  return range.has_value();
}

Reply NoSuchRange(int64_t file_size) {
  return {.status = 416,
          .content_type = std::string(kText),
          .policy = std::string(kPolicyOfData),
          .headers = {{"Content-Range", "bytes */" + std::to_string(file_size)}},
          .body = "The file ends before this range.\n"};
}

void SetReply(const Reply& reply, httplib::Response& response) {
  // By default, the library sends 200, or 206 if there is a range.
  if (reply.status != 200) response.status = reply.status;
  for (const auto& [name, value] : reply.headers) response.set_header(name, value);
  response.set_header(kPolicyHeader, reply.policy);
  if (!reply.file) response.set_content(reply.body, reply.content_type);
}

void AnswerWith(const Reply& reply, const httplib::Request& request,
                httplib::Response& response) {
  if (!reply.file) {
    MendRanges(request, std::nullopt);
    return SetReply(reply, response);
  }
  Result<os::RandomFile> file = os::RandomFile::Open(*reply.file);
  if (!file.ok()) {  // Deleted meanwhile, or not readable.
    MendRanges(request, std::nullopt);
    return SetReply({.status = 404,
                     .content_type = std::string(kText),
                     .policy = std::string(kPolicyOfData),
                     .body = "The file cannot be read.\n"},
                    response);
  }
  const int64_t size = file.value().size();
  if (!MendRanges(request, size)) return SetReply(NoSuchRange(size), response);
  SetReply(reply, response);
  if (size == 0) {  // The library cannot provide empty content.
    response.set_content("", reply.content_type);
  } else {
    SetFile(std::move(file).value(), reply.content_type, response);
  }
}

void SetUp(const Site& site, httplib::Server& server) {
  httplib::Headers headers;
  for (const auto& [name, value] : kHeadersOfAll) headers.emplace(name, value);
  server.set_default_headers(std::move(headers));
  // All requests are handled before the library looks for a route.
  server.set_pre_routing_handler(
      [&site](const httplib::Request& request, httplib::Response& response) {
        AnswerWith(site.Answer({.method = request.method,
                                .target = request.target,
                                .host = request.get_header_value("Host")}),
                   request, response);
        return httplib::Server::HandlerResponse::Handled;
      });
  // Malformed requests are rejected by the library.
  server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.has_header(kPolicyHeader)) return;
    response.set_content("This request cannot be answered.\n", std::string(kText));
    response.set_header(kPolicyHeader, std::string(kPolicyOfData));
  });
  // The library's default would silently let two servers share a port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  });
  server.set_payload_max_length(size_t{64} << 10);
}

Error CannotListen(const std::string& host, int port, int reason) {
  const std::string place = host + " port " + std::to_string(port);
  if (reason == EADDRINUSE) {
    return Error(
        ErrorCode::kIo,
        "cannot listen on " + place +
            ": address in use; choose another --port, or --port 0 for any free port");
  }
  return Error(ErrorCode::kIo,
               "cannot listen on " + place + ": " +
                   (reason == 0 ? "--host is not an address of this machine"
                                : std::string(std::strerror(reason))));
}

}  // namespace

HttpServer::HttpServer(std::unique_ptr<Implementation> implementation, int port)
    : implementation_(std::move(implementation)), port_(port) {}
HttpServer::HttpServer(HttpServer&&) noexcept = default;
HttpServer::~HttpServer() = default;

Result<HttpServer> HttpServer::Bind(const Site& site, const std::string& host, int port) {
  auto implementation = std::make_unique<Implementation>();
  BoundedServer& server = implementation->server;
  SetUp(site, server);
  errno = 0;  // The library reports only that it failed.
  if (port == 0) {
    port = server.bind_to_any_port(host);
    if (port <= 0) return CannotListen(host, 0, errno);
  } else if (!server.bind_to_port(host, port)) {
    return CannotListen(host, port, errno);
  }
  server.LetMoreWait();
  return HttpServer(std::move(implementation), port);
}

Status HttpServer::ServeUntil(const os::SignalWatch& watch) {
  BoundedServer& server = implementation_->server;
  std::atomic<bool> has_ended = false;
  std::atomic<bool> was_well = true;
  std::thread listener([&] {
    was_well = server.listen_after_bind();
    has_ended = true;
  });
  constexpr std::chrono::milliseconds kLook(200);
  while (!watch.WaitFor(kLook) && !has_ended) {
  }
  // Stopping a server that is not running yet would have no effect.
  while (!server.is_running() && !has_ended) std::this_thread::yield();
  server.connections().Stop();
  server.stop();
  listener.join();
  if (!was_well && !watch.first()) {
    return Error(ErrorCode::kIo, "the server cannot accept connections any more");
  }
  return Ok();
}

}  // namespace ridgeline::serve
