// The connections of a server: their number, timeouts and shutdown.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <list>
#include <mutex>

namespace ridgeline::serve {

// Thread-safe. Clients that connect and send nothing, or a byte now and then, must
// neither block others nor keep the program from exiting.
class Connections {
  struct Entry {
    int socket = -1;
    bool is_answered = false;  // The response has begun.
    bool is_closing = false;
  };

 public:
  // Served concurrently. Beyond that, the oldest ones without a complete request are
  // closed.
  static constexpr size_t kMost = 64;
  // For the whole request; also for a client to take the next part of the response.
  static constexpr std::chrono::seconds kPatience{10};

  // A connection, used by one thread, which closes the socket when done.
  class Connection {
   public:
    Connection(Connections& all, int socket);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Up to `size` bytes of the request; 0: EOF, -1: timeout.
    ssize_t Read(char* bytes, size_t size);
    ssize_t Write(const char* bytes, size_t size);

   private:
    using Clock = std::chrono::steady_clock;
    bool WaitFor(short events, Clock::time_point until) const;

    Connections& all_;
    const int socket_;
    const Clock::time_point request_until_ = Clock::now() + kPatience;
    std::list<Entry>::iterator entry_;
  };

  // A client was accepted; a thread will create its Connection later.
  void Expect();
  // Ends all connections, including expected ones.
  void Stop();

 private:
  void MakeRoom();

  std::mutex mutex_;
  std::list<Entry> open_;  // Oldest first.
  size_t expected_ = 0;    // Accepted and not closed, including `open_`.
  size_t closing_ = 0;     // Of those, requested to close.
  bool is_stopped_ = false;
};

}  // namespace ridgeline::serve
