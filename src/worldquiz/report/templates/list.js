worldquiz.list();
